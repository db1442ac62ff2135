const error = new Error("request failed");
error.status = 503;
error.headers = { "retry-after": "5" };
throw error;
