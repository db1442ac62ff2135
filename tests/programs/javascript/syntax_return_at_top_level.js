const ok = true;
return ok;
