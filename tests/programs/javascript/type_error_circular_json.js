const node = { name: "root" };
node.self = node;
JSON.stringify(node);
