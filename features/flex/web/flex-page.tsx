import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { onPaid } from '#platform/web/state/paid.ts'
import { useSignedIn } from '#platform/web/state/session.ts'
import { useQueryParam } from '#platform/web/state/url-state.ts'
import { useTitle } from '#platform/web/title.ts'
import { ErrorState } from '#ui/error-state.tsx'
import { AlertBox } from '#ui/layers/alert-box.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Tabs } from '#ui/tabs.tsx'
import type { TabKey } from '../packages.ts'
import { flexTexts } from '../texts.ts'
import { InviteCodeField } from './code-field.tsx'
import { InUse } from './in-use.tsx'
import { PackageList } from './package-list.tsx'
import { FailureReason, FlexRecords } from './records.tsx'
import { refreshFlex, useFlex, useFlexPrices, useRefreshOnChange } from './use-flex.ts'

const TAB_TEXT = { claude: 'tab_claude', chatgpt: 'tab_chatgpt', sora: 'tab_sora', combined: 'tab_combined' } as const satisfies Record<
  TabKey,
  keyof typeof flexTexts.zh
>

const TABS: readonly TabKey[] = ['chatgpt', 'claude', 'combined', 'sora']
const FLEX_ORDER = 9
const RULES = ['rule1', 'rule2', 'rule3', 'rule4'] as const

/** /gpt-plus-share: what one has, what there is, what one ordered. Visitors see what there is. */
export function FlexPage() {
  const t = useTexts(flexTexts)
  useTitle(t('page'))
  const signedIn = useSignedIn()
  const [asked, setTab] = useQueryParam<string>('tab', 'chatgpt')
  const [code, setCode] = useQueryParam<string>('invite', '')
  const tab = TABS.find((key) => key === asked) ?? 'chatgpt'
  const prices = useFlexPrices(code)
  const rows = useFlex(signedIn).data?.rowList
  const uses = rows ?? []
  useRefreshOnChange(rows)
  useEffect(() => onPaid(({ orderType }) => (orderType === FLEX_ORDER ? refreshFlex() : undefined)), [])
  return (
    <section aria-labelledby="flex-title">
      <h1 id="flex-title" className="text-20 font-bold">
        {t('page')}
      </h1>
      <p className="mb-6 mt-1 max-w-[46em] text-14 text-fg-2">
        {t('lead')}{' '}
        <Link to={'/service/flex' as string} className="link">
          {t('landingLink')}
        </Link>
      </p>
      {signedIn ? <FailureReason /> : null}
      <InUse uses={uses} />
      {prices.isError && !prices.data ? (
        <ErrorState error={prices.error} title={t('readFailed')} onRetry={() => void prices.refetch()} />
      ) : !prices.data ? (
        <Skeleton className="h-96" />
      ) : (
        <div className="grid gap-x-12 gap-y-8 desktop:grid-cols-[minmax(0,1fr)_300px]">
          <div className="min-w-0">
            {prices.data.isFullBuying ? null : <AlertBox kind="warning" title={t('fullNote')} className="mb-5" />}
            <h2 className="sr-only">{t('tabs')}</h2>
            <Tabs
              label={t('tabs')}
              value={tab}
              onChange={setTab}
              items={TABS.map((key) => ({
                value: key,
                label: t(TAB_TEXT[key]),
                panel: (
                  <PackageList
                    prices={prices.data.rowList.filter(({ tabKey }) => tabKey === key)}
                    uses={uses}
                    inviteCode={prices.data.code === 'taken' ? code : ''}
                  />
                ),
              }))}
            />
            <p className="mt-4 text-13 text-fg-3">{t('compare', prices.data.compared)}</p>
          </div>
          <aside className="flex flex-col gap-8">
            <InviteCodeField code={code} state={prices.data.code} onUse={setCode} />
            <div>
              <h2 className="text-14 font-semibold">{t('rules')}</h2>
              <ul className="mt-2 list-disc space-y-1.5 pl-5 text-14 text-fg-2">
                {RULES.map((rule) => (
                  <li key={rule}>{t(rule)}</li>
                ))}
              </ul>
            </div>
          </aside>
        </div>
      )}
      {signedIn ? <FlexRecords /> : null}
    </section>
  )
}
