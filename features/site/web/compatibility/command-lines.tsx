import { useTexts } from '#platform/web/i18n.ts'
import { Leader } from '#ui/receipt.tsx'
import { getVendorColor } from '#features/gateway/web/door.ts'
import { Dot } from '#ui/badge.tsx'
import { compatTexts } from '../../compat-texts.ts'
import { TESTED } from './last-run.ts'
import { TESTED_JOBS } from './results.ts'
import type { TestedClient } from './results.ts'

const CLI_TEXT = { 'error': 'cli_error', 'job': 'cli_job', 'parallel': 'cli_parallel', 'goes-on': 'cli_goes-on' } as const

/** Each client's jobs as receipt lines, once for each vendor's models. */
export function CommandLines({ clients }: { readonly clients: readonly TestedClient[] }) {
  const t = useTexts(compatTexts)
  return (
    <ul className="grid gap-5 desktop:grid-cols-3 mobile:gap-4">
      {clients.map((client) => (
        <li key={client.id} className="card p-5 mobile:p-4">
          <h3 className="text-18 font-semibold">{client.label}</h3>
          <p className="num text-13 break-words text-fg-3">
            {client.package} {client.version}
          </p>
          {TESTED.map(({ id, label }) => (
            <section key={id} className="mt-4 border-t border-dashed border-line pt-3">
              <h4 className="flex items-center gap-2 text-14 font-medium">
                <Dot color={getVendorColor(id)} />
                {t('models_of', { vendor: label })}
              </h4>
              <ul className="mt-1 text-13">
                {TESTED_JOBS.map((job) => {
                  const cell = client.cells[id]?.[job]
                  return (
                    <li key={job} className="receipt-row py-0.5">
                      <span className="min-w-0 text-fg-2">{t(CLI_TEXT[job])}</span>
                      <Leader />
                      <span className={`shrink-0 ${cell === 'pass' ? 'text-brand-text' : 'text-danger'}`}>{t(cell === 'pass' ? 'pass' : 'fail')}</span>
                    </li>
                  )
                })}
              </ul>
            </section>
          ))}
        </li>
      ))}
    </ul>
  )
}
