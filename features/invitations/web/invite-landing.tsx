import { Link, useParams } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { QueryProvider } from '#platform/web/calls/query.tsx'
import { displayUsd } from '#platform/web/money.tsx'
import { storeValue } from '#platform/web/state/storage.ts'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { useSignedIn } from '#platform/web/state/session.ts'
import { useTitle } from '#platform/web/title.ts'
import { Button, getButtonClass } from '#ui/button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { invitationTexts } from '../texts.ts'
import { buildDiscountExample } from './example.ts'
import { invitationsApi } from './invitations-api.ts'

/** /i/:id: the value of the invitation, as a receipt that adds up. The inviter is not shown. */
export function InviteLanding() {
  return (
    <QueryProvider>
      <Landing />
    </QueryProvider>
  )
}

function Landing() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const t = useTexts(invitationTexts)
  useTitle(t('title'))
  const signedIn = useSignedIn()
  // prefill the code in the sign-up form, for as long as it is stored
  useEffect(() => {
    if (id && !signedIn) storeValue('invite', id)
  }, [id, signedIn])
  const { data, isError, error, refetch } = useQuery({
    queryKey: ['invitations', 'landing', id],
    queryFn: ({ signal }) => invitationsApi.landing({ code: id }, { signal }),
    enabled: id !== '',
  })
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />
  return (
    <section className="bg-ink text-ink-fg">
      <div className="mx-auto grid min-h-[560px] max-w-[1248px] grid-cols-[minmax(0,1fr)_400px] items-center gap-16 px-6 py-20 mobile:min-h-0 mobile:grid-cols-1 mobile:gap-10 mobile:px-5 mobile:py-10">
        {data ? <Offer {...data} /> : <Skeleton className="h-60 opacity-20" />}
      </div>
    </section>
  )
}

function Offer({ valid, code, discount, feePercent, min }: Awaited<ReturnType<typeof invitationsApi.landing>>) {
  const t = useTexts(invitationTexts)
  return (
    <>
      <div>
        <h1 className="text-40 font-bold text-balance break-keep mobile:text-28">
          {valid ? t('land_title', { discount: displayUsd(discount) }) : t('land_bad')}
        </h1>
        <p className="mt-4 max-w-[36em] text-16 text-pretty text-ink-fg-2">{valid ? t('land_lead') : t('land_bad_about')}</p>
        {valid ? (
          <ol aria-label={t('land_how')} className="mt-6 grid max-w-[40em] gap-2 text-14 text-ink-fg-2">
            {[t('land_1'), t('land_2', { min: displayUsd(min) }), t('land_3')].map((step, n) => (
              <li key={step} className="flex gap-3">
                <span className="num font-semibold text-ink-accent">{n + 1}</span>
                <span>{step}</span>
              </li>
            ))}
          </ol>
        ) : null}
        <WayIn valid={valid} />
      </div>
      {valid ? <Slip code={code} discount={discount} feePercent={feePercent} /> : <VoidSlip code={code} />}
    </>
  )
}

function WayIn({ valid }: { readonly valid: boolean }) {
  const t = useTexts(invitationTexts)
  const signedIn = useSignedIn()
  return (
    <>
      <div className="mt-8 flex flex-wrap gap-3">
        {signedIn ? (
          <Link to="/api" className={getButtonClass('ink', 'lg')}>
            {t('land_in')}
          </Link>
        ) : (
          <Button variant="ink" size="lg" onClick={() => openDialog('auth', { mode: 'register' })}>
            {t(valid ? 'land_start' : 'land_register')}
          </Button>
        )}
        <Link to="/pricing" className={getButtonClass('ink-ghost', 'lg')}>
          {t('land_prices')}
        </Link>
      </div>
      {signedIn ? <p className="mt-4 max-w-[40em] text-13 text-ink-fg-3">{t('land_in_note')}</p> : null}
    </>
  )
}

function Slip({ code, discount, feePercent }: { readonly code: string; readonly discount: string; readonly feePercent: string }) {
  const t = useTexts(invitationTexts)
  const example = buildDiscountExample(discount, feePercent)
  return (
    <Receipt label={t('poster_slip')} className="w-full">
      <div className="flex items-baseline justify-between gap-4">
        <p className="text-18 font-bold">{t('poster_slip')}</p>
        <p className="text-13 text-paper-fg-2">{t('poster_example', { amount: displayUsd(example.amount) })}</p>
      </div>
      <ReceiptRule />
      <ReceiptRow label={t('line_top_up')} value={displayUsd(example.amount)} />
      <ReceiptRow label={t('line_less')} value={`−${displayUsd(example.discount)}`} className="font-semibold" />
      <ReceiptRow label={t('line_fee', { percent: example.feePercent })} value={displayUsd(example.fee)} />
      <ReceiptRule />
      <ReceiptRow strong label={t('line_due')} value={displayUsd(example.due)} note={t('line_note', { amount: displayUsd(example.amount) })} />
      <ReceiptRule />
      <p className="num text-28 font-semibold">{code}</p>
      <p className="text-13 text-paper-fg-2">{t('land_code')}</p>
    </Receipt>
  )
}

/** Receipt of an invalid code: shows the code struck through and no values. */
function VoidSlip({ code }: { readonly code: string }) {
  const t = useTexts(invitationTexts)
  return (
    <Receipt label={t('poster_slip')} className="w-full">
      <p className="text-18 font-bold">{t('poster_slip')}</p>
      <ReceiptRule />
      <ReceiptRow label={t('line_less')} value="—" />
      <ReceiptRule />
      <p className="num truncate text-28 font-semibold text-paper-fg-2 line-through">{code}</p>
      <p className="text-13 text-paper-fg-2">{t('land_bad_code')}</p>
    </Receipt>
  )
}
