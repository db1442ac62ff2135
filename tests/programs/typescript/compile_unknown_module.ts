import { z } from "zod";
import fs from "node:fs";
console.log(z, fs);
