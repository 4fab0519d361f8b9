/** Error from the server, shown below its subject. */
export function UpgradeProblem({ text }: { readonly text: string }) {
  return text === '' ? null : (
    <p role="alert" className="text-14 text-danger">
      {text}
    </p>
  )
}
