console.log(files.readTextFile("README.md"));
