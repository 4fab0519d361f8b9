import { useTexts } from '#platform/web/i18n.ts'
import { compatTexts } from '../../compat-texts.ts'
import { ResultMarks } from './marks.tsx'
import { TESTED_FEATURES } from './results.ts'
import type { TestedClient } from './results.ts'

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

/** Features against clients; on a phone a card for each client. */
export function SdkMatrix({ clients }: { readonly clients: readonly TestedClient[] }) {
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
