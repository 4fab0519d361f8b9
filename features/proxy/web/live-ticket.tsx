import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { displayTime } from '#platform/web/time.tsx'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { Button } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { Countdown, formatClock } from '#ui/time/countdown.tsx'
import { confirm } from '#ui/layers/confirm.ts'
import { toast } from '#ui/layers/toast.ts'
import { Meter } from '#ui/figures/meter.tsx'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import type { ProxyAccount, ProxyStat } from '../contract.ts'
import { proxyTexts } from '../texts.ts'
import { formatBytes } from './bytes.ts'
import { proxyApi, useApply, useProxyRefresh } from './use-proxy.ts'

/** The live use: credentials, remaining time and traffic. */
export function LiveTicket({ account, stat }: { readonly account: ProxyAccount; readonly stat: ProxyStat }) {
  const t = useTexts(proxyTexts)
  const refresh = useProxyRefresh()
  const moved = account.upBytes + account.downBytes
  return (
    <Receipt look="inline" label={t('networkLive')}>
      <div className="flex items-center justify-between gap-3">
        <p className="text-16 font-bold">{t('networkLive')}</p>
        <p className="flex items-center gap-2 text-13 text-fg-2">
          <span className="size-2 rounded-full bg-brand ring-4 ring-brand-soft" aria-hidden="true" />
          {account.exit.name}
        </p>
      </div>
      <ReceiptRule />
      <dl className="grid gap-0.5">
        <Line label={t('networkHost')} value={account.host} />
        <Line label={t('networkPort')} value={String(account.port)} />
        <Line label={t('networkUsername')} value={account.username} />
        <Line label={t('networkPassword')} value={account.password} />
      </dl>
      <p className="mt-2.5 text-12 text-fg-3">{t(account.scheme === 'https' ? 'networkTls' : 'networkPlain')}</p>
      <ReceiptRule />
      <Countdown
        until={Date.parse(account.expiresTime)}
        of={stat.minutes * 60}
        label={t('networkLeft')}
        say={(seconds) => t('networkUntil', { clock: formatClock(seconds), time: displayTime(account.expiresTime).slice(11) })}
        onEnd={refresh}
      />
      <div className="mt-4">
        <Meter
          label={t('networkTraffic')}
          used={formatBytes(moved)}
          of={formatBytes(account.allowedBytes)}
          share={moved / account.allowedBytes}
          note={t('networkMoved', { up: formatBytes(account.upBytes), down: formatBytes(account.downBytes) })}
        />
      </div>
      <div className="mt-3">
        <ReceiptRow label={t('networkTunnels')} value={account.tunnels} />
        {account.refused ? <ReceiptRow label={t('networkRefused')} value={account.refused} note={t('networkRefusedWhy')} /> : null}
      </div>
      <Acts account={account} stat={stat} />
    </Receipt>
  )
}

function Line({ label, value }: { readonly label: string; readonly value: string }) {
  const t = useTexts(proxyTexts)
  return (
    <div className="flex items-center gap-3">
      <dt className="w-16 shrink-0 text-13 text-fg-2">{label}</dt>
      <dd className="flex min-w-0 flex-1 items-center gap-3">
        <span className="num min-w-0 flex-1 text-14 font-semibold [overflow-wrap:anywhere] whitespace-normal">{value}</span>
        <CopyButton text={value} iconOnly label={t('networkCopy', { what: label })} />
      </dd>
    </div>
  )
}

function Acts({ account, stat }: { readonly account: ProxyAccount; readonly stat: ProxyStat }) {
  const t = useTexts(proxyTexts)
  const refresh = useProxyRefresh()
  const { apply, isRunning } = useApply()
  const ending = useSubmit()
  const end = async () => {
    if (!(await confirm({ title: t('networkEndAsk'), body: t('networkEndBody'), action: t('networkEnd'), danger: true }))) return
    const problem = await ending.run(async () => {
      await proxyApi.proxyEnd({})
      refresh()
    })
    if (problem) toast.warning(isApiError(problem) ? problem.message : t('networkNotDone'))
  }
  const renew = async () => {
    if (
      await confirm({
        title: t('networkRenewAsk'),
        body: t('networkRenewBody', { price: displayUsd(stat.remainingCount > 0 ? '0' : stat.price), minutes: stat.minutes }),
        action: t('networkRenew'),
      })
    )
      await apply(account.exit.id)
  }
  return (
    <div className="mt-5 flex flex-wrap gap-3">
      <Button variant="secondary" loading={isRunning} onClick={() => void renew()}>
        {t('networkRenew')}
      </Button>
      <Button variant="ghost" loading={ending.isRunning} onClick={() => void end()}>
        {t('networkEnd')}
      </Button>
    </div>
  )
}
