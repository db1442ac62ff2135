let text = "ab";
for (;;) text += text;
