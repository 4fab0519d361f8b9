import { openDialog } from '#platform/web/state/dialogs.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { maskPhone } from '../../phone.ts'
import { securityTexts } from '../../texts-security.ts'
import { maskEmail } from '../security/own-code.tsx'
import { reloadMe } from '../use-me.ts'
import type { Me } from '../use-me.ts'
import { SettingsEntry, SettingsEntries } from './row.tsx'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useIsMobile } from '#platform/web/device.ts'
import { withStepUp } from '#platform/web/calls/step-up.ts'
import { canUsePasskey, createPasskey } from '#platform/web/passkey.ts'
import { Time } from '#platform/web/time.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { confirm } from '#ui/layers/confirm.ts'
import { toast } from '#ui/layers/toast.ts'
import { SkeletonRows } from '#ui/skeleton.tsx'
import type { ReplyOf } from '#platform/shared/contract.ts'
import type { factorsContract } from '../../contract-factors.ts'
import { factorsApi } from '../security/api.ts'
import { parseDevice } from '#platform/shared/device-name.ts'

const AuthenticatorDialog = lazy(() => import('../security/authenticator-dialog.tsx').then((file) => ({ default: file.AuthenticatorDialog })))
const RecoveryDialog = lazy(() => import('../security/authenticator-dialog.tsx').then((file) => ({ default: file.RecoveryDialog })))

/** Passkeys, an authenticator and recovery codes. Once the user has one of them, step-up accepts nothing less. */
function FactorsSection() {
  const t = useTexts(securityTexts)
  // on a phone the section is the page itself, so its headings move up one level
  const Heading = useIsMobile() ? 'h2' : 'h3'
  const read = useQuery({ queryKey: ['account', 'factors'], queryFn: ({ signal }) => factorsApi.factors({}, { signal }) })
  const [isAdding, setIsAdding] = useState(false)
  const [codes, setCodes] = useState<readonly string[]>()
  const [isBusy, setIsBusy] = useState(false)
  /** Runs one action at a time, shows a refusal, and reloads the current state. */
  const act = async (work: () => Promise<readonly string[] | undefined | void>) => {
    if (isBusy) return
    setIsBusy(true)
    try {
      const fresh = await work()
      if (fresh?.length) setCodes(fresh)
    } catch (error) {
      toast.error(error instanceof Error ? error.message : String(error))
    } finally {
      await reloadMe()
      setIsBusy(false)
    }
  }
  if (read.isError && !read.data) return <ErrorState error={read.error} onRetry={() => void read.refetch()} />
  if (!read.data) return <SkeletonRows rows={3} />
  const remove = async (name: string, call: () => Promise<unknown>) => {
    const asked = { title: t('fac_remove_title', { name }), body: t('fac_remove_body'), action: t('fac_remove'), danger: true }
    if (await confirm(asked)) await act(async () => void (await withStepUp(call)))
  }
  return (
    <>
      <Heading className="mt-8 mb-3 text-16 font-semibold">{t('fac_title')}</Heading>
      <p className="mb-3 text-13 text-fg-2">{t('fac_lead')}</p>
      <FactorRows factors={read.data} isBusy={isBusy} remove={remove} act={act} onAuthenticator={() => setIsAdding(true)} />
      <Suspense>
        {isAdding ? (
          <AuthenticatorDialog
            onClose={() => setIsAdding(false)}
            onDone={(fresh) => {
              setIsAdding(false)
              setCodes(fresh)
              void reloadMe()
            }}
          />
        ) : null}
        {codes ? <RecoveryDialog codes={codes} onClose={() => setCodes(undefined)} /> : null}
      </Suspense>
    </>
  )
}

type Act = (work: () => Promise<readonly string[] | undefined | void>) => Promise<void>
interface RowsProps {
  readonly factors: ReplyOf<(typeof factorsContract)['factors']>
  readonly isBusy: boolean
  readonly act: Act
  readonly remove: (name: string, call: () => Promise<unknown>) => Promise<void>
  readonly onAuthenticator: () => void
}

function FactorRows({ factors: { authenticatorSince, recoveryLeft, passkeys }, isBusy, act, remove, onAuthenticator }: RowsProps) {
  const t = useTexts(securityTexts)
  const addPasskey = () =>
    act(async () => {
      const asked = await withStepUp(() => factorsApi.passkeyOptions({}))
      const credential = asked && (await createPasskey(asked.options))
      if (!asked || !credential) return undefined
      const name = parseDevice(navigator.userAgent).name || t('ses_unknown')
      return (await withStepUp(() => factorsApi.addPasskey({ id: asked.id, name, credential })))?.recoveryCodes
    })
  return (
    <SettingsEntries>
      <SettingsEntry
        label={t('fac_authenticator')}
        value={authenticatorSince ? <Time at={authenticatorSince} show="day" /> : <span className="text-fg-3">{t('acc_none')}</span>}
        action={
          <Button
            variant="secondary"
            size="sm"
            disabled={isBusy}
            aria-label={t('acc_named', { verb: t(authenticatorSince ? 'fac_remove' : 'acc_set'), what: t('fac_authenticator') })}
            onClick={() => (authenticatorSince ? void remove(t('fac_authenticator'), () => factorsApi.removeAuthenticator({})) : onAuthenticator())}
          >
            {t(authenticatorSince ? 'fac_remove' : 'acc_set')}
          </Button>
        }
      />
      {passkeys.map(({ id, name, lastUsedAt }) => (
        <SettingsEntry
          key={id}
          label={t('fac_passkey_named', { name })}
          value={lastUsedAt ? <Time at={lastUsedAt} /> : <span className="text-fg-3">{t('fac_unused')}</span>}
          action={
            <Button
              variant="secondary"
              size="sm"
              disabled={isBusy}
              aria-label={t('acc_named', { verb: t('fac_remove'), what: name })}
              onClick={() => void remove(name, () => factorsApi.removePasskey({ passkeyId: id }))}
            >
              {t('fac_remove')}
            </Button>
          }
        />
      ))}
      <SettingsEntry
        label={t('fac_passkey')}
        value={<span className="text-fg-3">{passkeys.length ? t('fac_another') : t('acc_none')}</span>}
        note={canUsePasskey() ? undefined : t('fac_no_passkey')}
        action={
          <Button variant="secondary" size="sm" loading={isBusy} disabled={!canUsePasskey()} onClick={() => void addPasskey()}>
            {t('fac_add')}
          </Button>
        }
      />
      {authenticatorSince || passkeys.length ? (
        <SettingsEntry
          label={t('fac_recovery')}
          value={<span className={`num ${recoveryLeft < 3 ? 'text-warning' : ''}`}>{t('fac_left', { n: recoveryLeft })}</span>}
          note={t('fac_recovery_note')}
          action={
            <Button
              variant="secondary"
              size="sm"
              disabled={isBusy}
              onClick={() => void act(async () => (await withStepUp(() => factorsApi.renewRecovery({})))?.recoveryCodes)}
            >
              {t('fac_renew')}
            </Button>
          }
        />
      ) : null}
    </SettingsEntries>
  )
}

/** Sign-in methods of the account, and the protection of its money. */
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
      <SettingsEntries>
        <SettingsEntry
          label={t('acc_email')}
          value={me.email ? <span className="num">{maskEmail(me.email)}</span> : none}
          badge={me.email && !isProven ? <Badge tone="warning">{t('acc_unproven')}</Badge> : null}
          action={press(t(!me.email ? 'acc_bind' : isProven ? 'acc_change' : 'acc_verify'), t('acc_email'), () =>
            openDialog('email', { mode: isProven ? 'update' : 'bind' }),
          )}
        />
        <SettingsEntry
          label={t('acc_mobile')}
          value={me.mobile ? <span className="num">{maskPhone(me.mobile)}</span> : none}
          action={press(t(me.mobile ? 'acc_change' : 'acc_bind'), t('acc_mobile'), () => openDialog('mobile'))}
        />
        <SettingsEntry
          label={t('acc_password')}
          value={me.password ? t('acc_is_set') : none}
          badge={me.password ? null : <Badge tone="warning">{t('acc_advised')}</Badge>}
          action={press(t(me.password ? 'acc_change' : 'acc_set'), t('acc_password'), () => openDialog('password'))}
        />
        <SettingsEntry
          label={t('acc_pay_password')}
          value={me.existPayPassword ? t('acc_is_set') : none}
          note={t('acc_pay_note')}
          action={press(t(me.existPayPassword ? 'acc_change' : 'acc_set'), t('acc_pay_password'), () =>
            openDialog('payPassword', { mode: me.existPayPassword ? 'modify' : 'set' }),
          )}
        />
        <SettingsEntry
          label="Google"
          value={me.google ? t('acc_linked') : t('acc_unlinked')}
          note={me.google ? undefined : isProven && me.email ? t('acc_google_how', { email: maskEmail(me.email) }) : t('acc_google_first')}
        />
      </SettingsEntries>
      <FactorsSection />
    </>
  )
}
