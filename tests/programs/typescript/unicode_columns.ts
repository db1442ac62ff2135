const größe: number = 3; const emoji = "😀😀"; throw new Error(`${emoji}${größe}`);
