name = "Ame\u0301lie" "é" 3 4
