console.log(1);
break;
for (;;) {
  continue nowhere;
}
return 1;
