import { ErrorCode } from "gg/core";
export { ErrorCode };
export { Usage } from "gg/core";
