const name = "Ame\u0301lie", other = "é"; const 1st = 2;
