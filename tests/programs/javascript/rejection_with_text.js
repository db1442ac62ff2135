await Promise.reject("it is only a text");
