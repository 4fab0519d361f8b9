import { FactRows } from '../marks.tsx'
import { useConsoleFormatter } from '../format.ts'

interface InputSummaryProps {
  readonly title: string
  readonly input: Readonly<Record<string, unknown>>
  /** Names of inputs that the page already shows in full elsewhere. */
  readonly but?: readonly string[]
}

/** The complete input of a command, nested values included, because approvers must see all of it. */
export function InputSummary({ title, input, but = [] }: InputSummaryProps) {
  const say = useConsoleFormatter()
  const said = Object.entries(input).filter(([name, value]) => value !== null && value !== undefined && !but.includes(name))
  const [nested, plain] = [said.filter(([, value]) => isNested(value)), said.filter(([, value]) => !isNested(value))]
  if (!said.length) return null
  return (
    <section aria-label={title}>
      <h3 className="mb-1 text-13 font-semibold">{title}</h3>
      <FactRows rows={plain.map(([name, value]) => [say.field(name), formatNested(value, name, say)] as const)} />
      {nested.map(([name, value]) => (
        <div key={name} className="mt-1 text-13">
          <p className="text-fg-3">{say.field(name)}</p>
          <pre className="num mt-1 max-h-80 overflow-auto rounded-card bg-sunken p-2 text-12 whitespace-pre-wrap [overflow-wrap:anywhere]">
            {JSON.stringify(value, null, 2)}
          </pre>
        </div>
      ))}
    </section>
  )
}

const isNested = (value: unknown) =>
  Array.isArray(value) ? value.some((one) => typeof one === 'object' && one !== null) : typeof value === 'object' && value !== null

function formatNested(value: unknown, name: string, say: ReturnType<typeof useConsoleFormatter>): string {
  if (Array.isArray(value))
    return value.length ? value.map((one) => (name === 'roles' ? say.role(String(one)) : say.value(one as string, name))).join(' · ') : '—'
  return say.value(value as string, name)
}
