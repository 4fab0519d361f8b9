import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { useQueryParam } from '#platform/web/state/url-state.ts'
import { useTitle } from '#platform/web/title.ts'
import { ErrorState, EmptyState } from '#ui/error-state.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Tabs } from '#ui/tabs.tsx'
import type { ProxyStat, ProxyUse } from '../contract.ts'
import { proxyTexts } from '../texts.ts'
import { useProxyStat, useAvailable, useUses, proxyApi, useApply } from './use-proxy.ts'
import { useIsMobile } from '#platform/web/device.ts'
import { AlertBox } from '#ui/layers/alert-box.tsx'
import { ExtensionCard } from './extension-card.tsx'
import { LiveTicket } from './live-ticket.tsx'
import { FileJson } from 'lucide-react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { saveBlob } from '#platform/web/save-blob.ts'
import { Button } from '#ui/button.tsx'
import { toast } from '#ui/layers/toast.ts'
import { Time } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table.tsx'
import { ListEnd } from '#ui/list-end.tsx'
import { formatBytes } from './bytes.ts'
import { useState } from 'react'
import { PickField } from '#ui/fields/pick-field.tsx'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { CodeBlock } from '#ui/code-block.tsx'

/** Three ways to use the proxy, and its limits. */
function Tutorial() {
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

/** The offer while no use is live: content and itemised price, shown before the order. */
function NewProxyUse({ stat }: { readonly stat: ProxyStat }) {
  const t = useTexts(proxyTexts)
  const [exit, setExit] = useState(stat.exits[0]?.id ?? '')
  const { apply, isRunning } = useApply()
  const isFree = stat.remainingCount > 0
  const price = isFree ? displayUsd('0') : displayUsd(stat.price)
  return (
    <Receipt look="inline" label={t('networkOne')}>
      <p className="text-16 font-bold">{t('networkOne')}</p>
      <p className="mt-1 text-13 text-fg-2">{t('networkOneAbout')}</p>
      <ReceiptRule />
      <ReceiptRow label={t('networkTime')} value={t('networkMinutes', { minutes: stat.minutes })} />
      <ReceiptRow label={t('networkTraffic')} value={t('networkUpTo', { most: formatBytes(stat.limits.megabytes * 1_000_000) })} />
      <ReceiptRow label={t('networkSpeed')} value={t('networkMegabits', { megabits: stat.limits.megabits })} />
      <ReceiptRow label={t('networkTunnelsMost')} value={stat.limits.tunnels} />
      <ReceiptRow label={t('networkPorts')} value="80 · 443" />
      {stat.allowed > 0 ? <ReceiptRow label={t('networkFree')} value={t('networkOf', { left: stat.remainingCount, all: stat.allowed })} /> : null}
      {stat.exits.length > 1 ? (
        <PickField
          className="mt-3"
          label={t('networkExit')}
          value={exit}
          onChange={setExit}
          options={stat.exits.map(({ id, name }) => ({ value: id, label: name }))}
        />
      ) : null}
      <ReceiptRule />
      <ReceiptRow strong label={t('networkDue')} value={price} />
      <p className="text-12 text-fg-3">{t('networkPaidFrom')}</p>
      {stat.isServed ? (
        <Button block size="lg" className="mt-4" loading={isRunning} onClick={() => void apply(exit)}>
          {isFree ? t('networkBeginFree') : t('networkBegin', { price })}
        </Button>
      ) : (
        <AlertBox kind="warning" className="mt-4" title={t('networkDownTitle')}>
          {t('networkDown')}
        </AlertBox>
      )}
    </Receipt>
  )
}

/** All uses with their traffic. Targets are not stored, so they are not shown. */
function UsesTab() {
  const t = useTexts(proxyTexts)
  const { data, isError, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useUses()
  if (isError && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton className="h-64" />
  const rows = data.pages.flatMap((page) => page.rowList)
  const minutes = ({ startedTime, endedTime }: ProxyUse) => Math.max(0, Math.round((Date.parse(endedTime) - Date.parse(startedTime)) / 60_000))
  const columns: readonly Column<ProxyUse>[] = [
    { key: 'start', header: t('usesStart'), mobile: 'title', cell: (use) => <Time at={use.startedTime} /> },
    {
      key: 'state',
      header: t('usesState'),
      mobile: 'primary',
      cell: (use) => <Badge tone={use.isLive ? 'brand' : 'neutral'}>{t(use.isLive ? 'usesLive' : 'usesEnded')}</Badge>,
    },
    { key: 'exit', header: t('networkExit'), cell: (use) => use.exit },
    { key: 'minutes', header: t('usesMinutes'), align: 'right', cell: (use) => <span className="num">{minutes(use)}</span> },
    { key: 'up', header: t('usesUp'), align: 'right', cell: (use) => <span className="num">{formatBytes(use.upBytes)}</span> },
    { key: 'down', header: t('usesDown'), align: 'right', cell: (use) => <span className="num">{formatBytes(use.downBytes)}</span> },
    { key: 'tunnels', header: t('networkTunnels'), align: 'right', cell: (use) => <span className="num">{use.tunnels}</span> },
    { key: 'refused', header: t('networkRefused'), align: 'right', cell: (use) => <span className="num">{use.refused}</span> },
  ]
  return (
    <>
      <DataTable
        caption={t('networkAccount')}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        instead={rows.length ? undefined : <EmptyState title={t('usesNone')} body={t('usesNoneBody')} />}
      />
      {rows.length ? <ListEnd hasMore={hasNextPage} loading={isFetchingNextPage} onMore={() => void fetchNextPage()} /> : null}
      <p className="mt-2 text-13 text-fg-3">{t('learnKept')}</p>
    </>
  )
}

/** Download of a SwitchyOmega settings file with the current credentials. */
function SettingsFile({ hasAccount }: { readonly hasAccount: boolean }) {
  const t = useTexts(proxyTexts)
  const { run, isRunning } = useSubmit()
  const save = async () => {
    const problem = await run(async () => {
      const { body, type, filename } = await proxyApi.switchyOmega({})
      if (body instanceof Uint8Array) saveBlob(new Blob([body], { type }), filename)
    })
    if (problem) toast.warning(isApiError(problem) ? problem.message : t('networkNotDone'))
  }
  return (
    <section aria-labelledby="settings-file" className="card flex flex-wrap items-center gap-4 p-5">
      <span className="flex size-10 shrink-0 items-center justify-center rounded-control bg-sunken text-fg-2">
        <FileJson size={20} strokeWidth={1.75} aria-hidden="true" />
      </span>
      <div className="min-w-0 flex-[1_1_220px]">
        <h2 id="settings-file" className="text-16 font-bold">
          {t('omegaTitle')}
        </h2>
        <p className="mt-0.5 text-14 text-fg-2">{t(hasAccount ? 'omegaAbout' : 'omegaLater')}</p>
      </div>
      <Button variant="secondary" loading={isRunning} disabled={!hasAccount} onClick={() => void save()}>
        {t('omegaSave')}
      </Button>
    </section>
  )
}

/** The live use, or the offer; next to it the two ways to set up a browser. */
function UsageTab({ stat }: { readonly stat: ProxyStat }) {
  const t = useTexts(proxyTexts)
  const mobile = useIsMobile()
  const { data, isError, error, refetch } = useAvailable()
  if (isError && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  return (
    <div className="grid grid-cols-[minmax(0,460px)_minmax(0,1fr)] items-start gap-10 mobile:grid-cols-1 mobile:gap-7">
      {mobile ? (
        <AlertBox kind="warning" title={t('networkPhoneTitle')}>
          {t('networkPhone')}
        </AlertBox>
      ) : null}
      {data === undefined ? <Skeleton className="h-96" /> : data.account ? <LiveTicket account={data.account} stat={stat} /> : <NewProxyUse stat={stat} />}
      <div className="grid gap-6">
        <ExtensionCard />
        <SettingsFile hasAccount={Boolean(data?.account)} />
      </div>
    </div>
  )
}

type Tab = 'usage' | 'tutorial' | 'account'

/** /network: the live use, setup instructions and past uses. */
export function NetworkPage() {
  const t = useTexts(proxyTexts)
  useTitle(t('networkTitle'))
  const [tab, setTab] = useQueryParam<Tab>('tab', 'usage')
  const { data, isError, error, refetch } = useProxyStat()
  if (isError && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  return (
    <>
      <header className="mb-4 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h1 className="text-20 font-bold">{t('networkTitle')}</h1>
        <p className="text-13 text-fg-2">{data ? <Facts stat={data} /> : null}</p>
      </header>
      {data ? (
        <Tabs
          label={t('networkTitle')}
          value={tab}
          onChange={setTab}
          items={[
            { value: 'usage', label: t('networkUsage'), panel: <UsageTab stat={data} /> },
            { value: 'tutorial', label: t('networkTutorial'), panel: <Tutorial /> },
            { value: 'account', label: t('networkAccount'), panel: <UsesTab /> },
          ]}
        />
      ) : (
        <Waiting />
      )}
    </>
  )
}

function Facts({ stat }: { readonly stat: ProxyStat }) {
  const t = useTexts(proxyTexts)
  return t('networkFacts', { price: displayUsd(stat.price), minutes: stat.minutes, tunnels: stat.limits.tunnels, megabits: stat.limits.megabits })
}

function Waiting() {
  return (
    <div className="grid grid-cols-[minmax(0,460px)_1fr] gap-10 mobile:grid-cols-1" aria-busy="true">
      <Skeleton className="h-96" />
      <Skeleton className="h-80" />
    </div>
  )
}
