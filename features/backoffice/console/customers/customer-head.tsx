import { Link } from '@tanstack/react-router'
import { Check, Eye, Snowflake, Sun, Users } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { displayTime } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { CommandButton } from '../kit/command/command-button.tsx'
import { useOperatorName } from '../kit/operators.ts'
import { useConsoleFormatter } from '../kit/format.ts'
import { useHasPermission } from '../kit/use-me.ts'
import type { Customer } from './customer.ts'
import { CustomerStatus } from './status.tsx'
import { customerTexts } from './texts.ts'

const FROZEN_NOTE_TEXT = { all: 'frozenNote_all', calls: 'frozenNote_calls', money_out: 'frozenNote_money_out' } as const
const FROZEN_TEXT = { calls: 'frozen_calls', money_out: 'frozen_money_out' } as const
const IDENTITY_TEXT = { review: 'identity_review', rejected: 'identity_rejected' } as const

const RevealDialog = lazy(() => import('./reveal-dialog.tsx').then((module) => ({ default: module.RevealDialog })))
const ViewAsDialog = lazy(() => import('./view-as-dialog.tsx').then((module) => ({ default: module.ViewAsDialog })))

export function CustomerHead({ customer }: { readonly customer: Customer }) {
  const t = useTexts(customerTexts)
  const may = useHasPermission()
  const nameOf = useOperatorName()
  const [dialog, setDialog] = useState<'reveal' | 'viewAs'>()
  const { userId, freezes } = customer
  const input = { user: userId }
  const about = customer.name || userId
  return (
    <header className="flex shrink-0 flex-wrap items-start gap-x-4 gap-y-3 px-5 pt-4 pb-2 mobile:px-4">
      <span aria-hidden="true" className="flex size-10 shrink-0 items-center justify-center rounded-full bg-brand-soft text-16 font-semibold text-brand-text">
        {[...(customer.name || '?')][0]}
      </span>
      <div className="min-w-0 flex-1 basis-72">
        <div className="flex flex-wrap items-center gap-2">
          <h1 dir="auto" className="min-w-0 text-18 font-bold [overflow-wrap:anywhere]">
            {customer.name || t('noName')}
          </h1>
          <Tags customer={customer} />
        </div>
        <p className="flex flex-wrap items-center gap-x-3 text-13 text-fg-2">
          <span className="num inline-flex items-center">
            {userId}
            <CopyButton iconOnly text={userId} className="-my-2" />
          </span>
          {[customer.email, customer.mobile].filter(Boolean).map((one) => (
            <span key={one} className="num">
              {one}
            </span>
          ))}
          {may('contacts.reveal') && (customer.email || customer.mobile) ? (
            <button type="button" className="link" onClick={() => setDialog('reveal')}>
              {t('reveal')}
            </button>
          ) : null}
          <span className="text-fg-3">
            {t('since', { since: displayTime(customer.createdAt, 'day') })}
            {customer.lastSeenAt ? `, ${t('lastSeen', { at: displayTime(customer.lastSeenAt) })}` : ''}
          </span>
        </p>
        {freezes.map(({ scope, at, by, reason }) => (
          <p key={scope} className="mt-1 text-13 text-danger [overflow-wrap:anywhere]">
            {t(FROZEN_NOTE_TEXT[scope], { at: displayTime(at), by: nameOf(by.replace(/^operator:/, '')), reason })}
          </p>
        ))}
      </div>
      <div className="flex flex-wrap gap-2">
        {freezes.length ? (
          <CommandButton name="account.thaw" word={t('thaw')} input={input} about={about} icon={<Sun size={14} strokeWidth={1.75} aria-hidden="true" />} />
        ) : null}
        {customer.status === 'active' ? (
          <CommandButton
            name="account.freeze"
            word={t('freeze')}
            input={input}
            about={about}
            danger
            icon={<Snowflake size={14} strokeWidth={1.75} aria-hidden="true" />}
          />
        ) : null}
        {may('customers.view') ? (
          <Button variant="secondary" onClick={() => setDialog('viewAs')}>
            <Eye size={14} strokeWidth={1.75} aria-hidden="true" />
            {t('viewAs')}
          </Button>
        ) : null}
      </div>
      <Suspense fallback={null}>
        {dialog === 'reveal' ? <RevealDialog customer={customer} onClose={() => setDialog(undefined)} /> : null}
        {dialog === 'viewAs' ? <ViewAsDialog userId={userId} onClose={() => setDialog(undefined)} /> : null}
      </Suspense>
    </header>
  )
}

/** Badges for the customer's status, freezes, identity check and other flags. */
function Tags({ customer }: { readonly customer: Customer }) {
  const t = useTexts(customerTexts)
  const say = useConsoleFormatter()
  const { identity } = customer
  return (
    <>
      {customer.status === 'active' ? null : <CustomerStatus status={customer.status} />}
      {customer.freezes.map(({ scope }) =>
        scope === 'all' ? null : (
          <Badge key={scope} tone="danger" icon={<Snowflake size={12} aria-hidden="true" />}>
            {t(FROZEN_TEXT[scope])}
          </Badge>
        ),
      )}
      {identity === 'passed' ? (
        <Badge tone="success" icon={<Check size={12} aria-hidden="true" />}>
          {t('identity_passed')}
        </Badge>
      ) : identity === 'review' || identity === 'rejected' ? (
        <Badge tone="warning">{t(IDENTITY_TEXT[identity])}</Badge>
      ) : null}
      {customer.waiting.map((one) => (
        <Link key={one.no} to={`/approvals?open=${one.no}`} className="tag tag-outline text-warning no-underline">
          <Users size={12} aria-hidden="true" />
          {t('waiting', { act: say.command(one.name) })}
        </Link>
      ))}
    </>
  )
}
