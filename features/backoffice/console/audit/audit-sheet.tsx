import { Link } from '@tanstack/react-router'
import { useTexts } from '#platform/web/i18n.ts'
import { Time } from '#platform/web/time.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { CustomerLink } from '../kit/customer-link.tsx'
import { FactRows } from '../kit/marks.tsx'
import { useOperatorName } from '../kit/operators.ts'
import { useConsoleFormatter } from '../kit/format.ts'
import { SideSheet } from '../kit/sheet.tsx'
import { auditTexts } from './texts.ts'

export interface AuditSheetRow {
  readonly id: string
  readonly at: string
  readonly actorKind: string
  readonly actorId: string
  readonly action: string
  readonly target: string
  readonly data: Readonly<Record<string, unknown>>
  readonly seq: string | null
}
type Change = { readonly name: string; readonly before: string | number | boolean | null; readonly after: string | number | boolean | null }

/** Values before and after, if the row has them. */
const listChanges = (data: AuditSheetRow['data']): readonly Change[] => (Array.isArray(data['changes']) ? (data['changes'] as Change[]) : [])

export function AuditSheet({ id, row, onClose }: { readonly id: string; readonly row: AuditSheetRow | undefined; readonly onClose: () => void }) {
  const t = useTexts(auditTexts)
  const say = useConsoleFormatter()
  const nameOf = useOperatorName()
  if (!row)
    return (
      <SideSheet title={id} onClose={onClose}>
        <p className="text-fg-2">{t('notLoaded')}</p>
      </SideSheet>
    )
  const { changes: _changes, ...rest } = row.data
  const changes = listChanges(row.data)
  return (
    <SideSheet title={say.action(row.action)} about={<span className="num">{row.id}</span>} onClose={onClose}>
      <div className="grid grid-cols-1 gap-4">
        <FactRows
          rows={[
            [t('colAt'), <Time key="at" at={row.at} show="second" />],
            [t('colWho'), row.actorKind === 'operator' ? nameOf(row.actorId) : say.subject(`${row.actorKind}:${row.actorId}`)],
            [t('colTarget'), <Target key="target" target={row.target} />],
            [t('colSeq'), row.seq ? <span className="num">{row.seq}</span> : t('notChained')],
          ]}
        />
        {changes.length ? (
          <table className="w-full text-13 tabular">
            <thead>
              <tr className="text-12 text-fg-3">
                <th className="text-left font-normal">{t('figure')}</th>
                <th className="pl-3 text-right font-normal">{t('before')}</th>
                <th className="pl-3 text-right font-normal">{t('after')}</th>
              </tr>
            </thead>
            <tbody>
              {changes.map(({ name, before, after }) => (
                <tr key={name} className={before === after ? 'text-fg-3' : ''}>
                  <th scope="row" className="py-0.5 text-left font-normal">
                    {say.fact(name)}
                  </th>
                  <td className="py-0.5 pl-3 text-right">{say.value(before, name)}</td>
                  <td className={`py-0.5 pl-3 text-right ${before === after ? '' : 'font-semibold'}`}>{say.value(after, name)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        ) : null}
        {Object.keys(rest).length ? (
          <div className="rounded-card bg-sunken p-3">
            <FactRows
              rows={say.data(rest).map(([name, value]) => [
                name,
                <span key={name} dir="auto" className="[overflow-wrap:anywhere]">
                  {value}
                </span>,
              ])}
            />
            <CopyButton text={JSON.stringify(row.data)} className="mt-2" />
          </div>
        ) : null}
      </div>
    </SideSheet>
  )
}

/** Target of an audit row, linked to its page. */
function Target({ target }: { readonly target: string }) {
  const say = useConsoleFormatter()
  const [kind, id = ''] = target.split(':', 2)
  const to = { order: `/orders?open=${id}`, withdrawal: `/withdrawals?open=${id}`, command: `/approvals?open=${id}` }[kind ?? '']
  if (kind === 'user') return <CustomerLink userId={id} />
  return to ? (
    <Link to={to} className="link num">
      {say.subject(target)}
    </Link>
  ) : (
    <span className="num break-all whitespace-normal">{say.subject(target)}</span>
  )
}
