const request = new XMLHttpRequest();
