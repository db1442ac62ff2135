function App() {
  return (
    <>
      <p>hello</p>
    </>
  );
}
console.log(App());
