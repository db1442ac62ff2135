const { user: { name } } = { user: null };
