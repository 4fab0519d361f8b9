import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryClient } from '#platform/web/calls/query.tsx'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { deviceOf } from '#platform/shared/device-name.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { timeDisplay } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { confirm } from '#ui/layers/confirm.ts'
import { Dialog } from '#ui/layers/dialog.tsx'
import { toast } from '#ui/layers/toast.ts'
import { proven } from '../kit/command/step-up-store.ts'
import { Page, Panel } from '../kit/page.tsx'
import { canUsePasskey } from '../kit/passkey.ts'
import { useSay } from '../kit/say.ts'
import { useMe } from '../kit/use-me.ts'
import { AddPasskey } from './add-passkey.tsx'
import { CodeList } from './code-list.tsx'
import { MakeToken } from './make-token.tsx'
import { ownApi } from './own-api.ts'
import { FilesPanel } from './files-panel.tsx'
import { Row, Rows } from './own-rows.tsx'
import { ownTexts } from './own-texts.ts'

/** The operator's own settings, which need no approval: passkeys, sessions, recovery codes, tokens, files. */
export function Screen() {
  const t = useTexts(ownTexts)
  const say = useSay()
  const { data: me } = useMe()
  return (
    <Page title={t('title')} about={t('about')}>
      <div className="grid max-w-[1040px] grid-cols-2 items-start gap-4 mobile:grid-cols-1">
        <Passkeys />
        <Sessions />
        <Recovery />
        <Tokens />
        <FilesPanel />
        <Panel title={t('mayTitle')} note={me?.roles.map((role) => say.role(role)).join(', ')} className="col-span-full">
          <ul className="flex flex-wrap gap-1.5">
            {me?.permissions.map((one) => (
              <li key={one} className="tag">
                {say.permission(one)}
              </li>
            ))}
          </ul>
        </Panel>
      </div>
    </Page>
  )
}

/** Runs a change with step-up authentication, shows a toast and refetches. */
function useChange() {
  const { run, isRunning } = useSubmit()
  return {
    isRunning,
    change: (call: () => Promise<unknown>, said: string) =>
      void run(async () => {
        await proven(call)
        toast.success(said)
        await queryClient.invalidateQueries({ queryKey: ['own'] })
      }).then((error) => {
        if (error) toast.error(error.message)
      }),
  }
}

function Passkeys() {
  const t = useTexts(ownTexts)
  const query = useQuery({ queryKey: ['own', 'passkeys'], queryFn: () => ownApi.passkeys() })
  const { change, isRunning } = useChange()
  const [isAdding, setAdding] = useState(false)
  const list = query.data?.passkeys ?? []
  return (
    <Panel title={t('passkeys')} note={t('passkeysAbout')}>
      <Rows query={query} empty={list.length ? undefined : t('noPasskeys')}>
        {list.map((one) => (
          <Row
            key={one.id}
            head={one.name}
            note={one.lastUsedAt ? t('lastUsed', { at: timeDisplay(one.lastUsedAt) }) : t('never')}
            action={
              <Button variant="ghost" disabled={isRunning} onClick={() => change(() => ownApi.removePasskey({ passkeyId: one.id }), t('removed'))}>
                {t('remove')}
              </Button>
            }
          />
        ))}
      </Rows>
      {canUsePasskey() ? (
        <Button variant="secondary" className="mt-2" onClick={() => setAdding(true)}>
          {t('addPasskey')}
        </Button>
      ) : null}
      {isAdding ? <AddPasskey onClose={() => setAdding(false)} /> : null}
    </Panel>
  )
}

function Sessions() {
  const t = useTexts(ownTexts)
  const query = useQuery({ queryKey: ['own', 'sessions'], queryFn: () => ownApi.sessions() })
  const { change, isRunning } = useChange()
  return (
    <Panel title={t('sessions')}>
      <Rows query={query} empty={undefined}>
        {(query.data?.sessions ?? []).map((one) => (
          <Row
            key={one.id}
            head={
              <>
                <span className="num">{one.ip}</span> {one.current ? <Badge tone="brand">{t('current')}</Badge> : null}
              </>
            }
            note={`${t('lastUsed', { at: timeDisplay(one.lastSeenAt) })} · ${deviceOf(one.userAgent).name || one.userAgent}`}
            action={
              one.current ? null : (
                <Button variant="ghost" disabled={isRunning} onClick={() => change(() => ownApi.endSession({ sessionId: one.id }), t('ended'))}>
                  {t('end')}
                </Button>
              )
            }
          />
        ))}
      </Rows>
    </Panel>
  )
}

function Recovery() {
  const t = useTexts(ownTexts)
  const { run, isRunning } = useSubmit()
  const [codes, setCodes] = useState<readonly string[]>()
  const renew = async () => {
    if (!(await confirm({ title: t('renewTitle'), body: t('renewBody'), action: t('renew'), danger: true }))) return
    const error = await run(async () => setCodes((await proven(() => ownApi.newRecovery())).recoveryCodes))
    if (error) toast.error(error.message)
  }
  return (
    <Panel title={t('recovery')}>
      <p className="text-fg-2">{t('recoveryAbout')}</p>
      <Button variant="secondary" className="mt-2" loading={isRunning} onClick={() => void renew()}>
        {t('renew')}
      </Button>
      {codes ? (
        <Dialog
          open
          size="sm"
          closable={false}
          onClose={() => undefined}
          title={t('recovery')}
          description={t('tokenOnce')}
          footer={
            <Button size="lg" onClick={() => setCodes(undefined)}>
              {t('done')}
            </Button>
          }
        >
          <CodeList codes={codes} />
        </Dialog>
      ) : null}
    </Panel>
  )
}

function Tokens() {
  const t = useTexts(ownTexts)
  const query = useQuery({ queryKey: ['own', 'tokens'], queryFn: () => ownApi.tokens() })
  const { change, isRunning } = useChange()
  const [isMaking, setMaking] = useState(false)
  const list = query.data?.tokens ?? []
  return (
    <Panel title={t('tokens')} note={t('tokensAbout')}>
      <Rows query={query} empty={list.length ? undefined : t('noTokens')}>
        {list.map((one) => (
          <Row
            key={one.id}
            head={one.name}
            note={`${t('expires', { at: timeDisplay(one.expiresAt, 'day') })} · ${one.permissions.join(', ')}`}
            action={
              one.revokedAt ? (
                <Badge>{t('revoked')}</Badge>
              ) : (
                <Button variant="ghost" disabled={isRunning} onClick={() => change(() => ownApi.revokeToken({ tokenId: one.id }), t('revoked'))}>
                  {t('revoke')}
                </Button>
              )
            }
          />
        ))}
      </Rows>
      <Button variant="secondary" className="mt-2" onClick={() => setMaking(true)}>
        {t('makeToken')}
      </Button>
      {isMaking ? <MakeToken onClose={() => setMaking(false)} /> : null}
    </Panel>
  )
}
