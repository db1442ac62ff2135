type Event = { type: "open"; path: string } | { type: "close" };
function tell(event: Event): string {
  switch (event.type) {
    case "open":
      return `open ${event.path}`;
    case "close":
      return "close";
    default: {
      const left: never = event;
      return left;
    }
  }
}
console.log(tell({ type: "open", path: "a" }), tell({ type: "close" }));
