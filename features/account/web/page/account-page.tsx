import { Link, useSearch } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import type { ComponentType } from 'react'
import { useIsMobile } from '#platform/web/device.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { useTitle } from '#platform/web/title.ts'
import { ErrorState } from '#ui/error-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { securityTexts } from '../../texts-security.ts'
import { useCurrentUser, type Me } from '../use-me.ts'
import { DataSection } from './data-section.tsx'
import { HistorySection } from './history-section.tsx'
import { InvoiceSection } from './invoice-section.tsx'
import { LookSection } from './look-section.tsx'
import { MailsSection } from './mails-section.tsx'
import { ProfileSection } from './profile-section.tsx'
import { SECTIONS, parseSectionId, type SectionId } from './sections.ts'
import { SecuritySection } from './security-section.tsx'
import { SessionsSection } from './sessions-section.tsx'

const ACC_TEXT = {
  look: 'acc_look',
  history: 'acc_history',
  security: 'acc_security',
  profile: 'acc_profile',
  sessions: 'acc_sessions',
  invoice: 'acc_invoice',
  mails: 'acc_mails',
  data: 'acc_data',
} as const

const parts: Record<SectionId, ComponentType<{ readonly me: Me }>> = {
  profile: ProfileSection,
  security: SecuritySection,
  sessions: SessionsSection,
  history: HistorySection,
  look: LookSection,
  invoice: InvoiceSection,
  mails: MailsSection,
  data: DataSection,
}

/** A list of sections beside the open one; on a phone the list is a page, each section another, and the shell's arrow leads back. */
export function AccountPage() {
  const t = useTexts(securityTexts)
  const mobile = useIsMobile()
  const asked = parseSectionId((useSearch({ strict: false }) as { section?: string }).section)
  const me = useCurrentUser()
  const open = asked ?? (mobile ? undefined : 'profile')
  const Part = open ? parts[open] : undefined
  useTitle(t(open ? ACC_TEXT[open] : 'acc_title'))
  return (
    <div className="max-w-[960px]">
      {mobile && open ? null : <h1 className="mb-6 text-20 font-bold mobile:mb-4">{t('acc_title')}</h1>}
      <div className="desktop:grid desktop:grid-cols-[200px_minmax(0,1fr)] desktop:gap-8">
        {mobile && open ? null : <SectionList open={open} me={me.data} />}
        {Part ? (
          <section aria-labelledby="account-section" className="min-w-0">
            {mobile ? (
              <h1 id="account-section" className="mb-4 text-20 font-bold">
                {t(ACC_TEXT[open!])}
              </h1>
            ) : (
              <h2 id="account-section" className="mb-4 text-18 font-bold">
                {t(ACC_TEXT[open!])}
              </h2>
            )}
            {me.data ? <Part me={me.data} /> : me.isError ? <ErrorState error={me.error} onRetry={() => void me.refetch()} /> : <SkeletonRows rows={4} />}
          </section>
        ) : null}
      </div>
    </div>
  )
}

function SectionList({ open, me }: { readonly open: SectionId | undefined; readonly me: Me | undefined }) {
  const t = useTexts(securityTexts)
  const mobile = useIsMobile()
  const warned = me && (!me.password || me.emailVerifyStatus === 0)
  return (
    <nav aria-label={t('acc_nav')}>
      <ul className="flex flex-col desktop:gap-0.5 mobile:divide-y mobile:divide-line mobile:rounded-card mobile:border mobile:border-line mobile:bg-surface">
        {SECTIONS.map(({ id, Icon }) => (
          <li key={id}>
            <Link
              to="/account"
              search={{ section: id }}
              aria-current={id === open ? 'page' : undefined}
              className={`flex items-center gap-3 text-14 no-underline desktop:min-h-10 desktop:rounded-control desktop:border desktop:px-3 mobile:min-h-14 mobile:px-4 ${id === open ? 'border-line bg-surface font-semibold' : 'border-transparent text-fg-2 hover:text-fg mobile:text-fg'}`}
            >
              <Icon size={18} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
              <span className="flex-1">{t(ACC_TEXT[id])}</span>
              {id === 'security' && warned ? (
                <span className="size-2 rounded-full bg-warning" role="img" aria-label={t('acc_todo')} title={t('acc_todo')} />
              ) : null}
              {mobile ? <ChevronRight size={18} strokeWidth={1.75} aria-hidden="true" className="text-fg-3" /> : null}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
