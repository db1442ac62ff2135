await Promise.any([Promise.reject(new Error("first mirror")), Promise.reject(new Error("second mirror"))]);
