const a = 1;
<<<<<<< HEAD
const b = 2;
=======
const b = 3;
>>>>>>> other
