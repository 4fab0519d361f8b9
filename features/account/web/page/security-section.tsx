import { openDialog } from '#platform/web/state/dialogs.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { maskPhone } from '../../phone.ts'
import { securityTexts } from '../../texts-security.ts'
import { maskEmail } from '../security/own-code.tsx'
import type { Me } from '../use-me.ts'
import { FactorsSection } from './factors-section.tsx'
import { SettingsRow, SettingsRows } from './row.tsx'

/** How one gets into the account, and what protects its money. */
export function SecuritySection({ me }: { readonly me: Me }) {
  const t = useTexts(securityTexts)
  const none = <span className="text-fg-3">{t('acc_none')}</span>
  const isProven = me.emailVerifyStatus === 1
  const press = (verb: string, what: string, onClick: () => void) => (
    <Button variant="secondary" size="sm" aria-label={t('acc_named', { verb, what: what.toLowerCase() })} onClick={onClick}>
      {verb}
    </Button>
  )
  return (
    <>
      <SettingsRows>
        <SettingsRow
          label={t('acc_email')}
          value={me.email ? <span className="num">{maskEmail(me.email)}</span> : none}
          badge={me.email && !isProven ? <Badge tone="warning">{t('acc_unproven')}</Badge> : null}
          action={press(t(!me.email ? 'acc_bind' : isProven ? 'acc_change' : 'acc_verify'), t('acc_email'), () =>
            openDialog('email', { mode: isProven ? 'update' : 'bind' }),
          )}
        />
        <SettingsRow
          label={t('acc_mobile')}
          value={me.mobile ? <span className="num">{maskPhone(me.mobile)}</span> : none}
          action={press(t(me.mobile ? 'acc_change' : 'acc_bind'), t('acc_mobile'), () => openDialog('mobile'))}
        />
        <SettingsRow
          label={t('acc_password')}
          value={me.password ? t('acc_is_set') : none}
          badge={me.password ? null : <Badge tone="warning">{t('acc_advised')}</Badge>}
          action={press(t(me.password ? 'acc_change' : 'acc_set'), t('acc_password'), () => openDialog('password'))}
        />
        <SettingsRow
          label={t('acc_pay_password')}
          value={me.existPayPassword ? t('acc_is_set') : none}
          note={t('acc_pay_note')}
          action={press(t(me.existPayPassword ? 'acc_change' : 'acc_set'), t('acc_pay_password'), () =>
            openDialog('payPassword', { mode: me.existPayPassword ? 'modify' : 'set' }),
          )}
        />
        <SettingsRow
          label="Google"
          value={me.google ? t('acc_linked') : t('acc_unlinked')}
          note={me.google ? undefined : isProven && me.email ? t('acc_google_how', { email: maskEmail(me.email) }) : t('acc_google_first')}
        />
      </SettingsRows>
      <FactorsSection />
    </>
  )
}
