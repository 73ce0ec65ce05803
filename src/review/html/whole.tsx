/**
 * A text whose words break only where the line has no room for one: browsers break at a `-`, which in
 * a pattern is an exemption.
 */
export function Whole({ text }: { readonly text: string }) {
  return (
    <>
      {text
        .split(/( )/)
        .map((word) => (/-[^>]/.test(word) ? <span class="whole">{word}</span> : word))}
    </>
  );
}
