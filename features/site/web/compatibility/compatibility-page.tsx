import { Link } from '@tanstack/react-router'
import { useTexts } from '#platform/web/i18n.ts'
import { useTitle } from '#platform/web/title.ts'
import { getVendorColor } from '#features/gateway/web/door.ts'
import { Dot } from '#ui/badge.tsx'
import { compatTexts } from '../../compat-texts.ts'
import { CommandLines } from './command-lines.tsx'
import { results, TESTED } from './last-run.ts'
import { INAPPLICABLE_REASONS, TESTED_FEATURES, type TestedClient, type Cell } from './results.ts'

const F_TEXT = {
  abort: 'f_abort',
  length: 'f_length',
  error: 'f_error',
  stream: 'f_stream',
  usage: 'f_usage',
  image: 'f_image',
  tools: 'f_tools',
  thinking: 'f_thinking',
  cache: 'f_cache',
  structured: 'f_structured',
  pdf: 'f_pdf',
  none: 'f_none',
  parallel: 'f_parallel',
  text: 'f_text',
  system: 'f_system',
  arguments: 'f_arguments',
  forced: 'f_forced',
  broken: 'f_broken',
} as const
const F_BODY_TEXT = {
  abort: 'f_abort_body',
  length: 'f_length_body',
  error: 'f_error_body',
  stream: 'f_stream_body',
  usage: 'f_usage_body',
  image: 'f_image_body',
  tools: 'f_tools_body',
  thinking: 'f_thinking_body',
  cache: 'f_cache_body',
  structured: 'f_structured_body',
  pdf: 'f_pdf_body',
  none: 'f_none_body',
  parallel: 'f_parallel_body',
  text: 'f_text_body',
  system: 'f_system_body',
  arguments: 'f_arguments_body',
  forced: 'f_forced_body',
  broken: 'f_broken_body',
} as const

/** Table of features by client; on a phone a card for each client. */
function SdkMatrix({ clients }: { readonly clients: readonly TestedClient[] }) {
  const t = useTexts(compatTexts)
  return (
    <>
      <div className="card overflow-x-auto mobile:hidden">
        <table className="w-full border-collapse text-14">
          <thead>
            <tr className="bg-sunken text-left text-13 text-fg-2">
              <th scope="col" className="px-5 py-3 font-medium">
                {t('feature')}
              </th>
              {clients.map((client) => {
                const [family, part] = client.label.split(' · ')
                return (
                  <th key={client.id} scope="col" className="px-2 py-3 text-center align-top font-medium">
                    <span className="block whitespace-nowrap text-fg">{part ?? family}</span>
                    <span className="block text-12 font-normal whitespace-nowrap text-fg-3">{part ? family : ''}</span>
                    <span className="num block text-12 font-normal text-fg-3">{client.version}</span>
                  </th>
                )
              })}
            </tr>
          </thead>
          <tbody>
            {TESTED_FEATURES.map((feature) => (
              <tr key={feature} className="border-t border-line">
                <th scope="row" className="px-5 py-2.5 text-left font-normal">
                  <span className="block font-medium">{t(F_TEXT[feature])}</span>
                  <span className="block text-13 text-fg-3">{t(F_BODY_TEXT[feature])}</span>
                </th>
                {clients.map((client) => (
                  <td key={client.id} className="px-2 py-2.5 text-center">
                    <ResultMarks client={client} feature={feature} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ul className="grid gap-4 desktop:hidden">
        {clients.map((client) => (
          <li key={client.id} className="card p-4">
            <h3 className="text-16 font-semibold">{client.label}</h3>
            <p className="num text-13 break-words text-fg-3">
              {client.package} {client.version}
            </p>
            <ul className="mt-3 grid grid-cols-2 gap-x-6 text-14">
              {TESTED_FEATURES.map((feature) => (
                <li key={feature} className="flex items-center justify-between gap-2 border-t border-line py-2">
                  <span className="min-w-0">{t(F_TEXT[feature])}</span>
                  <ResultMarks client={client} feature={feature} />
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </>
  )
}

const WHY_TEXT = {
  'whole-calls': 'why_whole-calls',
  'client-names': 'why_client-names',
  'client-auto': 'why_client-auto',
  'client-silent': 'why_client-silent',
} as const
const HOW_TEXT = { refused: 'how_refused', command: 'how_command', whole: 'how_whole', sandbox: 'how_sandbox' } as const
const HOW_BODY_TEXT = { refused: 'how_refused_body', command: 'how_command_body', whole: 'how_whole_body', sandbox: 'how_sandbox_body' } as const

const cells = results.clients.flatMap((client) => Object.values(client.cells).flatMap((row) => Object.values(row)))
const checks = cells.filter((cell) => cell === 'pass' || cell === 'fail').length
const passed = cells.filter((cell) => cell === 'pass').length
const HOW = ['command', 'whole', 'sandbox', 'refused'] as const

/** Results of the last conformance run. All figures are generated; only the texts are written by hand. */
export function CompatibilityPage() {
  const t = useTexts(compatTexts)
  useTitle(t('title'))
  const kind = (wanted: 'sdk' | 'cli') => results.clients.filter((client) => client.kind === wanted)
  return (
    <div className="wrap-1200 py-16 mobile:py-8">
      <header>
        <h1 className="text-40 mobile:text-28">{t('title')}</h1>
        <p className="mt-2 text-fg-2">{t('lead', { clients: results.clients.length, vendors: TESTED.length, checks, passed })}</p>
        <ul className="mt-4 flex flex-wrap gap-x-6 gap-y-1 text-13 text-fg-3">
          <li className="tabular">{t('when', { on: results.on })}</li>
          {TESTED.map(({ id, label }) => (
            <li key={id} className="flex items-center gap-2">
              <Dot color={getVendorColor(id)} />
              <span>{t('models_of', { vendor: label })}</span>
              <span className="num">{results.models[id]}</span>
            </li>
          ))}
        </ul>
      </header>
      <section aria-labelledby="cli" className="mt-12 mobile:mt-9">
        <h2 id="cli" className="text-28 mobile:text-20">
          {t('cli')}
        </h2>
        <p className="mt-1 mb-5 text-fg-2">{t('cli_lead')}</p>
        <CommandLines clients={kind('cli')} />
      </section>
      <section aria-labelledby="sdk" className="mt-14 mobile:mt-10">
        <h2 id="sdk" className="text-28 mobile:text-20">
          {t('sdk')}
        </h2>
        <p className="mt-1 text-fg-2">{t('sdk_lead')}</p>
        <p className="mt-3 mb-4 flex flex-wrap items-center gap-x-6 gap-y-1 text-13 text-fg-3">
          <span>{t('legend')}</span>
          {(['pass', 'na', 'fail'] as const).map((cell) => (
            <span key={cell} className="inline-flex items-center gap-2">
              <ResultMark vendor={TESTED[0]?.id ?? ''} cell={cell} />
              {t(cell)}
            </span>
          ))}
        </p>
        <SdkMatrix clients={kind('sdk')} />
      </section>
      <section aria-labelledby="left" className="mt-14 grid gap-x-10 gap-y-4 desktop:grid-cols-[minmax(0,.5fr)_minmax(0,1.5fr)] mobile:mt-10">
        <h2 id="left" className="text-28 mobile:text-20">
          {t('left')}
        </h2>
        <ul className="border-t-2 border-fg">
          {INAPPLICABLE_REASONS.filter((reason) => cells.includes(reason)).map((reason) => (
            <li key={reason} className="grid gap-x-8 gap-y-1 border-b border-line py-4 desktop:grid-cols-[220px_minmax(0,1fr)]">
              <span className="text-14 font-medium">{listAffectedClients(reason) ?? t('all_sdks')}</span>
              <span className="text-fg-2">{t(WHY_TEXT[reason])}</span>
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="how" className="mt-14 grid gap-x-10 gap-y-4 desktop:grid-cols-[minmax(0,.5fr)_minmax(0,1.5fr)] mobile:mt-10">
        <h2 id="how" className="text-28 mobile:text-20">
          {t('how')}
        </h2>
        <div>
          <dl className="border-t-2 border-fg">
            {HOW.map((key) => (
              <div key={key} className="grid gap-x-8 border-b border-line py-4 desktop:grid-cols-[180px_minmax(0,1fr)]">
                <dt className="font-semibold">{t(HOW_TEXT[key])}</dt>
                <dd className="text-fg-2">{t(HOW_BODY_TEXT[key])}</dd>
              </div>
            ))}
          </dl>
          <p className="mt-4 text-14 text-fg-3">
            {t('next')}{' '}
            <Link to="/help/$slug" params={{ slug: 'base-urls' }} className="link">
              {t('next_link')}
            </Link>
          </p>
        </div>
      </section>
    </div>
  )
}

/** Clients that a reason applies to; undefined for all. */
function listAffectedClients(reason: string): string | undefined {
  const found = results.clients.filter((client) => Object.values(client.cells).some((row) => Object.values(row).includes(reason)))
  return found.length > 3 ? undefined : found.map((client) => client.label).join(', ')
}

/**
 * Mark of a result: a vendor's dot if it passed, a ring if it does not apply, a cross if it failed, so that it never relies on colour
 * alone.
 */
function ResultMark({ vendor, cell }: { readonly vendor: string; readonly cell: Cell | undefined }) {
  if (cell === 'pass') return <Dot color={getVendorColor(vendor)} />
  if (cell === 'fail')
    return (
      <span className="inline-flex size-2 items-center justify-center text-14 leading-none font-semibold text-danger" aria-hidden="true">
        ×
      </span>
    )
  return <span className="inline-block size-2 rounded-full border border-control" aria-hidden="true" />
}

/** One client's result in one feature, for models of each vendor. */
function ResultMarks({ client, feature }: { readonly client: TestedClient; readonly feature: string }) {
  const t = useTexts(compatTexts)
  const words = TESTED.map(({ id, label }) => {
    const cell = client.cells[id]?.[feature]
    return `${t('models_of', { vendor: label })} ${t(cell === 'pass' || cell === 'fail' ? cell : 'na')}`
  })
  return (
    <span className="inline-flex items-center gap-1.5">
      {TESTED.map(({ id }) => (
        <ResultMark key={id} vendor={id} cell={client.cells[id]?.[feature]} />
      ))}
      <span className="sr-only">{words.join(', ')}</span>
    </span>
  )
}
