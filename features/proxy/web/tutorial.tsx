import { useTexts } from '#platform/web/i18n.ts'
import { CodeBlock } from '#ui/code-block.tsx'
import { proxyTexts } from '../texts.ts'
import { useAvailable } from './use-proxy.ts'

/** Three ways into the proxy, and what it does not do. */
export function Tutorial() {
  const t = useTexts(proxyTexts)
  const { data } = useAvailable()
  const { host = 'proxy.example', port = 5000, scheme = 'http' } = data?.account ?? {}
  const at = `${host}:${port}`
  const ways = [
    { id: 'extension', title: t('extensionTitle'), steps: [t('learnGet'), t('learnLoad'), t('learnCode'), t('learnSwitch')] },
    { id: 'omega', title: t('omegaTitle'), steps: [t('learnOmegaSave'), t('learnOmegaImport'), t('learnOmegaChoose')] },
  ]
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)] items-start gap-x-10 gap-y-8 mobile:grid-cols-1">
      {ways.map(({ id, title, steps }) => (
        <section key={id} aria-labelledby={`learn-${id}`}>
          <h2 id={`learn-${id}`} className="mb-3 text-16 font-bold">
            {title}
          </h2>
          <ol className="grid gap-3">
            {steps.map((step, at1) => (
              <li key={step} className="flex gap-3 text-14">
                <span className="num flex size-6 shrink-0 items-center justify-center rounded-full border border-line text-12 font-semibold">{at1 + 1}</span>
                <span className="min-w-0 pt-0.5">{step}</span>
              </li>
            ))}
          </ol>
        </section>
      ))}
      <section aria-labelledby="learn-program" className="min-w-0">
        <h2 id="learn-program" className="mb-3 text-16 font-bold">
          {t('learnProgram')}
        </h2>
        <CodeBlock
          label={t('learnProgram')}
          snippets={[
            { id: 'http', label: 'HTTP', code: `curl -x '${scheme}://${at}' --proxy-user 'USERNAME:PASSWORD' https://example.com` },
            { id: 'socks', label: 'SOCKS5', code: `curl --socks5-hostname '${at}' --proxy-user 'USERNAME:PASSWORD' https://example.com` },
          ]}
        />
      </section>
      <section aria-labelledby="learn-limits">
        <h2 id="learn-limits" className="mb-3 text-16 font-bold">
          {t('learnLimits')}
        </h2>
        <ul className="grid list-disc gap-2 pl-5 text-14 text-fg-2">
          {[t('learnPorts'), t('learnInside'), t('learnRenew'), t('learnKept'), t('learnPhones')].map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </section>
    </div>
  )
}
