import { shell } from "gg/shell";

shell("sleep 60");
