import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { displayTime } from '#platform/web/time.tsx'
import { useTitle } from '#platform/web/title.ts'
import { AlertBox } from '#ui/layers/alert-box.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import type { InvitationInfo, InvitationRules } from '../contract-shapes.ts'
import { invitationTexts } from '../texts.ts'
import { PosterCard } from './poster-card.tsx'
import { InvitationRecords } from './records.tsx'
import { RewardSums } from './sums.tsx'
import { useInvitationInfo, useRefreshMoney } from './use-invitations.ts'
import { useState } from 'react'
import { Dialog } from '#ui/layers/dialog.tsx'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { toast } from '#ui/layers/toast.ts'
import { fissionApi, invitationsApi } from './invitations-api.ts'
import { CopyButton } from '#ui/copy-button.tsx'
import { normalizeInviteCode } from '../words.ts'

/** The link and the code, each with a copy button, and the form for a custom code. */
function LinkCard({ info }: { readonly info: InvitationInfo }) {
  const t = useTexts(invitationTexts)
  const [choosing, setChoosing] = useState(false)
  return (
    <section aria-label={t('link')} className="card p-5">
      <div className="flex items-center gap-5 mobile:flex-col mobile:items-stretch mobile:gap-4">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-3">
          <div className="min-w-0">
            <p className="text-13 text-fg-2">{t('link')}</p>
            <p className="num text-16 font-semibold [overflow-wrap:anywhere] whitespace-normal">{info.link.replace(/^https?:\/\//, '')}</p>
          </div>
          <CopyButton text={info.link} variant="primary" size="md" word={t('copy_link')} label={t('copy_link')} className="mobile:w-full" />
        </div>
        <div className="flex shrink-0 items-center gap-4 border-l border-line pl-5 mobile:justify-between mobile:border-t mobile:border-l-0 mobile:pt-4 mobile:pl-0">
          <div>
            <p className="text-13 text-fg-2">{t('code')}</p>
            <p className="num text-16 font-semibold">{info.inviteCode}</p>
          </div>
          <CopyButton text={info.inviteCode} size="md" label={t('copy_code')} />
        </div>
      </div>
      {info.ownCode ? null : choosing ? (
        <ChooseCode onDone={() => setChoosing(false)} />
      ) : (
        <button type="button" className="link mt-3 text-13 mobile:min-h-11" onClick={() => setChoosing(true)}>
          {t('choose_code')}
        </button>
      )}
    </section>
  )
}

function ChooseCode({ onDone }: { readonly onDone: () => void }) {
  const t = useTexts(invitationTexts)
  const changed = useRefreshMoney()
  const [code, setCode] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const isGood = /^[A-Z0-9]{3,10}$/.test(code)
  const save = async () => {
    setBusy(true)
    try {
      await invitationsApi.chooseCode({ code })
      changed()
      onDone()
    } catch (failed) {
      setError(isApiError(failed) ? failed.message : t('failed'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      className="mt-4 flex items-start gap-3 border-t border-line pt-4 mobile:flex-col mobile:items-stretch"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isGood) setError(t('choose_rule'))
        else if (!busy) void save()
      }}
    >
      <TextField
        label={t('choose_label')}
        hint={t('choose_rule')}
        error={error}
        value={code}
        maxLength={10}
        autoComplete="off"
        spellCheck={false}
        autoFocus
        onChange={(event) => {
          setError(undefined)
          setCode(normalizeInviteCode(event.target.value))
        }}
      />
      <div className="mt-7 flex gap-2 mobile:mt-0">
        <Button type="submit" loading={busy}>
          {t('choose_save')}
        </Button>
        <Button variant="ghost" onClick={onDone}>
          {t('cancel')}
        </Button>
      </div>
    </form>
  )
}

/** Form for users without an inviter: they can enter a code for a day and before the first payment. */
function EnterCode({ until }: { readonly until: string }) {
  const t = useTexts(invitationTexts)
  const changed = useRefreshMoney()
  const [inviteCode, setInviteCode] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const give = async () => {
    setBusy(true)
    try {
      await fissionApi.updateInvitedCode({ inviteCode: inviteCode.trim() })
      toast.success(t('give_done'))
      changed()
    } catch (failed) {
      setError(isApiError(failed) ? failed.message : t('failed'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      className="card flex items-start gap-3 p-5 mobile:flex-col mobile:items-stretch"
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy && inviteCode.trim()) void give()
      }}
    >
      <TextField
        fieldClassName="flex-1"
        label={t('give_label')}
        hint={t('give_until', { time: displayTime(until) })}
        error={error}
        value={inviteCode}
        maxLength={20}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => {
          setError(undefined)
          setInviteCode(event.target.value)
        }}
      />
      <Button type="submit" variant="secondary" loading={busy} disabled={!inviteCode.trim()} className="mt-7 mobile:mt-0">
        {t('give')}
      </Button>
    </form>
  )
}

/** Current version of the rules, its start, and all of it in words. */
function RulesLine({ rules }: { readonly rules: InvitationRules }) {
  const t = useTexts(invitationTexts)
  const [open, setOpen] = useState(false)
  const values = {
    discount: displayUsd(rules.discount),
    reward: displayUsd(rules.reward),
    threshold: displayUsd(rules.threshold),
    days: String(rules.holdDays),
    keep: String(rules.keepDays),
    reviewDays: String(rules.reviewDays),
    cap: displayUsd(rules.inviterCap),
    min: displayUsd(rules.withdrawMin),
    tiers: (rules.tiers ?? []).map(({ from, reward }) => t('rule_tier', { from: String(from), reward: displayUsd(reward) })).join(t('rule_tier_and')),
    second: displayUsd(rules.second ?? '0'),
    percent: rules.cashbackPercent ?? '0',
  }
  return (
    <p className="text-13 text-fg-2">
      {t('rules_version', { version: String(rules.version), day: displayTime(rules.since, 'day') })}
      <button type="button" className="link ml-2 mobile:min-h-11" onClick={() => setOpen(true)}>
        {t('rules_all')}
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title={t('rules_title', { version: String(rules.version) })} size="md">
        <ol className="grid list-decimal gap-2.5 pl-5 text-14">
          {listActiveRules(rules).map((key) => (
            <li key={key}>{t(key, values)}</li>
          ))}
        </ol>
      </Dialog>
    </p>
  )
}

/** Lists tiers, the second level and cashback, if they are on. */
function listActiveRules({ tiers, second, cashbackPercent }: InvitationRules) {
  return [
    ...(['rule_1', 'rule_2'] as const),
    ...(tiers ? (['rule_tiers'] as const) : []),
    ...(second ? (['rule_second'] as const) : []),
    ...(cashbackPercent ? (['rule_cashback'] as const) : []),
    ...(['rule_3', 'rule_4', 'rule_5', 'rule_6', 'rule_7', 'rule_8'] as const),
  ]
}

/** Progress of the quarter: invitees so far, their rate, and the number missing to the next tier. Shown while the rules have tiers. */
function Quarter({ info }: { readonly info: InvitationInfo }) {
  const t = useTexts(invitationTexts)
  const { quarter, rules } = info
  const tiers = rules.tiers ?? []
  const last = tiers.at(-1)?.from ?? 1
  const share = Math.min(1, quarter.number / last)
  return (
    <section aria-label={t('quarter')}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="text-16 font-bold">{t('quarter')}</h2>
        <p className="text-13 text-fg-2">
          {t('quarter_span', { from: quarter.from.slice(5), to: quarter.to.slice(5), count: String(quarter.number) })}
          {quarter.next ? ` ${t('quarter_next', { count: String(quarter.next.missing) })}` : ''}
        </p>
      </div>
      <div className="relative mt-3 h-1.5 rounded-full bg-line" aria-hidden="true">
        <div className="h-full rounded-full bg-brand" style={{ width: `${share * 100}%` }} />
        {tiers.slice(1).map(({ from }) => (
          <span key={from} className="absolute -top-1 h-3.5 w-0.5 bg-fg-3" style={{ left: `calc(${(from / last) * 100}% - 2px)` }} />
        ))}
      </div>
      <ul className="mt-2 flex justify-between gap-x-4 text-13 text-fg-2 mobile:flex-col mobile:gap-y-0.5">
        {tiers.map(({ from, reward }, at) => (
          <li key={from} className={reward === quarter.rate ? 'text-brand-text' : ''}>
            <span className="num font-semibold">{displayUsd(reward)}</span>{' '}
            {tiers[at + 1] ? t('tier_span', { from: String(from), to: String(tiers[at + 1]!.from - 1) }) : t('tier_from', { from: String(from) })}
          </li>
        ))}
      </ul>
      <p className="mt-1 text-13 text-fg-2">{t('quarter_about')}</p>
    </section>
  )
}

/** /invite-record: the benefit for both sides, the link, its results, and the list of rewards. */
export function InvitationsPage() {
  const t = useTexts(invitationTexts)
  useTitle(t('title'))
  const { data, isError, error, refetch } = useInvitationInfo()
  if (isError && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Waiting />
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-9 min-[1160px]:grid-cols-[minmax(0,1fr)_300px] mobile:gap-7">
      <div className="grid min-w-0 gap-6">
        <Head info={data} />
        <LinkCard info={data} />
        <RewardSums info={data} />
        {data.codeUntil ? <EnterCode until={data.codeUntil} /> : null}
        {data.rules.tiers ? <Quarter info={data} /> : null}
        <InvitationRecords reviewDays={data.rules.reviewDays} />
      </div>
      <PosterCard info={data} />
    </div>
  )
}

/** Both amounts in one sentence, with their conditions. */
function Head({ info }: { readonly info: InvitationInfo }) {
  const t = useTexts(invitationTexts)
  const { rules, ownRate, fullUntil, underReview } = info
  return (
    <header>
      <div className="mb-5 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h1 className="text-20 font-bold">{t('title')}</h1>
        <RulesLine rules={rules} />
      </div>
      <p className="text-28 font-bold text-balance mobile:text-20">
        {t('both_sums', { discount: displayUsd(rules.discount), reward: displayUsd(ownRate?.reward ?? rules.reward) })}
      </p>
      <p className="mt-2 text-14 text-fg-2">{t('condition', { threshold: displayUsd(rules.threshold) })}</p>
      {ownRate ? (
        <p className="mt-1 text-14 text-brand-text">
          {t('own_rate', { reward: displayUsd(ownRate.reward), day: ownRate.until, standard: displayUsd(rules.reward) })}
        </p>
      ) : null}
      {fullUntil ? (
        <AlertBox kind="info" className="mt-4">
          {t('full', { day: displayTime(fullUntil, 'day') })}
        </AlertBox>
      ) : null}
      {underReview ? (
        <AlertBox kind="info" className="mt-4">
          {t('review_open', { reviewDays: String(rules.reviewDays) })}
        </AlertBox>
      ) : null}
    </header>
  )
}

function Waiting() {
  return (
    <div className="grid gap-6" aria-busy="true">
      <Skeleton className="h-24" />
      <Skeleton className="h-20" />
      <div className="grid grid-cols-3 gap-4 mobile:grid-cols-1">
        {[1, 2, 3].map((n) => (
          <Skeleton key={n} className="h-40" />
        ))}
      </div>
      <Skeleton className="h-64" />
    </div>
  )
}
