console.log([[1], [2], 3].reduce((all, part) => [...all, ...part], []));
