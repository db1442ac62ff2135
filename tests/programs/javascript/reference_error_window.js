window.alert("hello");
