import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { queryClient } from '#platform/web/calls/query.tsx'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { parseDevice } from '#platform/shared/device-name.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayTime } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { confirm } from '#ui/layers/confirm.ts'
import { Dialog } from '#ui/layers/dialog.tsx'
import { toast } from '#ui/layers/toast.ts'
import { runWithStepUp } from '../kit/command/step-up-store.ts'
import { ConsolePage, ConsolePanel } from '../kit/page.tsx'
import { canUsePasskey } from '../kit/passkey.ts'
import { useConsoleFormatter } from '../kit/format.ts'
import { useSignedInOperator, useHasPermission, pollWhileAttended } from '../kit/use-me.ts'
import { AddPasskey } from './add-passkey.tsx'
import { CodeList } from './frame.tsx'
import { MakeToken } from './make-token.tsx'
import { ownApi } from './own-api.ts'
import { ownTexts } from './own-texts.ts'
import { filesApi, downloadFile } from '../kit/list/sheet-file.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'

function OwnSettingsRows({
  query,
  empty,
  children,
}: {
  readonly query: { readonly isPending: boolean; readonly error: unknown; refetch: () => unknown }
  readonly empty: string | undefined
  readonly children: ReactNode
}) {
  if (query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (query.isPending) return <SkeletonRows rows={2} />
  return empty ? <p className="py-2 text-fg-3">{empty}</p> : <ul className="divide-y divide-line">{children}</ul>
}

function OwnSettingsRow({ head, note, action }: { readonly head: ReactNode; readonly note: ReactNode; readonly action: ReactNode }) {
  return (
    <li className="flex items-center gap-3 py-2">
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{head}</p>
        <p className="truncate text-12 text-fg-3">{note}</p>
      </div>
      {action}
    </li>
  )
}

/** Files exported by the operator, kept for a week. */
function FilesPanel() {
  const t = useTexts(ownTexts)
  const may = useHasPermission()('lists.export')
  const { run, isRunning } = useSubmit()
  const query = useQuery({ queryKey: ['own', 'files'], queryFn: () => filesApi.exports({}), enabled: may, refetchInterval: pollWhileAttended(5_000) })
  if (!may) return null
  const list = query.data?.rows ?? []
  const save = (id: string) =>
    void run(() => downloadFile(id)).then((error) => {
      if (error) toast.error(error.message)
    })
  return (
    <ConsolePanel title={t('files')} note={t('filesAbout')} className="col-span-full">
      <OwnSettingsRows query={query} empty={list.length ? undefined : t('noFiles')}>
        {list.map(({ id, path, format, state, rows, madeAt }) => (
          <OwnSettingsRow
            key={id}
            head={
              <>
                <span className="num">{path.replace('/operator/', '')}</span> <Badge>{format}</Badge>
              </>
            }
            note={state === 'waiting' ? t('fileWaits', { rows }) : t('fileLine', { rows, at: displayTime(madeAt) })}
            action={
              state === 'done' ? (
                <Button variant="ghost" disabled={isRunning} onClick={() => save(id)}>
                  {t('download')}
                </Button>
              ) : state === 'failed' ? (
                <Badge tone="danger">{t('fileBroke')}</Badge>
              ) : null
            }
          />
        ))}
      </OwnSettingsRows>
    </ConsolePanel>
  )
}

/** The operator's own settings, which need no approval: passkeys, sessions, recovery codes, tokens, files. */
export function OwnSettingsScreen() {
  const t = useTexts(ownTexts)
  const say = useConsoleFormatter()
  const { data: me } = useSignedInOperator()
  return (
    <ConsolePage title={t('title')} about={t('about')}>
      <div className="grid max-w-[1040px] grid-cols-2 items-start gap-4 mobile:grid-cols-1">
        <Passkeys />
        <Sessions />
        <Recovery />
        <Tokens />
        <FilesPanel />
        <ConsolePanel title={t('mayTitle')} note={me?.roles.map((role) => say.role(role)).join(', ')} className="col-span-full">
          <ul className="flex flex-wrap gap-1.5">
            {me?.permissions.map((one) => (
              <li key={one} className="tag">
                {say.permission(one)}
              </li>
            ))}
          </ul>
        </ConsolePanel>
      </div>
    </ConsolePage>
  )
}

/** Runs a change with step-up authentication, shows a toast and refetches. */
function useOwnChange() {
  const { run, isRunning } = useSubmit()
  return {
    isRunning,
    change: (call: () => Promise<unknown>, said: string) =>
      void run(async () => {
        await runWithStepUp(call)
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
  const { change, isRunning } = useOwnChange()
  const [isAdding, setAdding] = useState(false)
  const list = query.data?.passkeys ?? []
  return (
    <ConsolePanel title={t('passkeys')} note={t('passkeysAbout')}>
      <OwnSettingsRows query={query} empty={list.length ? undefined : t('noPasskeys')}>
        {list.map((one) => (
          <OwnSettingsRow
            key={one.id}
            head={one.name}
            note={one.lastUsedAt ? t('lastUsed', { at: displayTime(one.lastUsedAt) }) : t('never')}
            action={
              <Button variant="ghost" disabled={isRunning} onClick={() => change(() => ownApi.removePasskey({ passkeyId: one.id }), t('removed'))}>
                {t('remove')}
              </Button>
            }
          />
        ))}
      </OwnSettingsRows>
      {canUsePasskey() ? (
        <Button variant="secondary" className="mt-2" onClick={() => setAdding(true)}>
          {t('addPasskey')}
        </Button>
      ) : null}
      {isAdding ? <AddPasskey onClose={() => setAdding(false)} /> : null}
    </ConsolePanel>
  )
}

function Sessions() {
  const t = useTexts(ownTexts)
  const query = useQuery({ queryKey: ['own', 'sessions'], queryFn: () => ownApi.sessions() })
  const { change, isRunning } = useOwnChange()
  return (
    <ConsolePanel title={t('sessions')}>
      <OwnSettingsRows query={query} empty={undefined}>
        {(query.data?.sessions ?? []).map((one) => (
          <OwnSettingsRow
            key={one.id}
            head={
              <>
                <span className="num">{one.ip}</span> {one.current ? <Badge tone="brand">{t('current')}</Badge> : null}
              </>
            }
            note={`${t('lastUsed', { at: displayTime(one.lastSeenAt) })} · ${parseDevice(one.userAgent).name || one.userAgent}`}
            action={
              one.current ? null : (
                <Button variant="ghost" disabled={isRunning} onClick={() => change(() => ownApi.endSession({ sessionId: one.id }), t('ended'))}>
                  {t('end')}
                </Button>
              )
            }
          />
        ))}
      </OwnSettingsRows>
    </ConsolePanel>
  )
}

function Recovery() {
  const t = useTexts(ownTexts)
  const { run, isRunning } = useSubmit()
  const [codes, setCodes] = useState<readonly string[]>()
  const renew = async () => {
    if (!(await confirm({ title: t('renewTitle'), body: t('renewBody'), action: t('renew'), danger: true }))) return
    const error = await run(async () => setCodes((await runWithStepUp(() => ownApi.newRecovery())).recoveryCodes))
    if (error) toast.error(error.message)
  }
  return (
    <ConsolePanel title={t('recovery')}>
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
    </ConsolePanel>
  )
}

function Tokens() {
  const t = useTexts(ownTexts)
  const query = useQuery({ queryKey: ['own', 'tokens'], queryFn: () => ownApi.tokens() })
  const { change, isRunning } = useOwnChange()
  const [isMaking, setMaking] = useState(false)
  const list = query.data?.tokens ?? []
  return (
    <ConsolePanel title={t('tokens')} note={t('tokensAbout')}>
      <OwnSettingsRows query={query} empty={list.length ? undefined : t('noTokens')}>
        {list.map((one) => (
          <OwnSettingsRow
            key={one.id}
            head={one.name}
            note={`${t('expires', { at: displayTime(one.expiresAt, 'day') })} · ${one.permissions.join(', ')}`}
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
      </OwnSettingsRows>
      <Button variant="secondary" className="mt-2" onClick={() => setMaking(true)}>
        {t('makeToken')}
      </Button>
      {isMaking ? <MakeToken onClose={() => setMaking(false)} /> : null}
    </ConsolePanel>
  )
}
