alert("done");
