throw { status: 404, reason: "not found" };
