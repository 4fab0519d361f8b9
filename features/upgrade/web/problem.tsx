/** What the server said no to, below what it is about. */
export function Problem({ text }: { readonly text: string }) {
  return text === '' ? null : (
    <p role="alert" className="text-14 text-danger">
      {text}
    </p>
  )
}
