import { Ellipsis, TriangleAlert } from 'lucide-react'
import { copyText } from '#platform/web/clipboard.ts'
import { isApiError } from '#platform/web/api-error.ts'
import { whenOn } from '#platform/web/flags.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { withStepUp } from '#platform/web/step-up.ts'
import { timeDisplay } from '#platform/web/time.tsx'
import { Badge, type Tone } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { Menu } from '#ui/menu.tsx'
import { toast } from '#ui/toast.ts'
import type { KeyRow } from '../../contract.ts'
import { gatewayTexts } from '../../texts.ts'
import { keysApi } from '../gateway-api.ts'
import { useKeysChanged } from '../queries.ts'
import { useKeyDialogs } from './key-dialogs.ts'
import { shortTime, stateOf } from './key-state.ts'

/** Name over mask. A mask is nothing to copy: the secret is shown once, when it is made. */
export function KeyName({ row }: { readonly row: KeyRow }) {
  return (
    <span className="block max-w-72 py-0.5 desktop:min-w-48">
      <span className={`block [overflow-wrap:anywhere] ${row.status === 'deleted' ? 'font-normal text-fg-3 line-through' : 'font-semibold'}`}>
        {row.keyName}
      </span>
      <code className="num block text-12 font-normal text-fg-3">{row.apiToken}</code>
    </span>
  )
}

export function KeyLastUse({ row }: { readonly row: KeyRow }) {
  const t = useTexts(gatewayTexts)
  if (row.lastUseAt === null) return <span className="text-fg-3">{t('keyNeverUsed')}</span>
  const { day, text } = shortTime(row.lastUseAt, Date.now())
  return (
    <span className="text-13 whitespace-nowrap">
      <time dateTime={row.lastUseAt} title={timeDisplay(row.lastUseAt, 'second')}>
        {day === 'yesterday' ? `${t('yesterday')} ` : null}
        <span className="num">{text}</span>
      </time>
      {row.lastFrom ? <span className="num block text-12 text-fg-3">{row.lastFrom}</span> : null}
    </span>
  )
}

const TONES = {
  active: 'success',
  deleted: 'neutral',
  disabled: 'neutral',
  rotating: 'info',
  used: 'danger',
  nearly: 'warning',
  expired: 'danger',
  expires: 'neutral',
  idle: 'neutral',
} as const satisfies Record<ReturnType<typeof stateOf>['kind'], Tone>

export function KeyStateBadge({ row }: { readonly row: KeyRow }) {
  const t = useTexts(gatewayTexts)
  const state = stateOf(row, Date.now())
  const values = 'day' in state ? { day: state.day.slice(5) } : 'days' in state ? { days: state.days } : undefined
  const warns = state.kind === 'nearly' || state.kind === 'used'
  return (
    <Badge tone={TONES[state.kind]} icon={warns ? <TriangleAlert size={12} strokeWidth={2} aria-hidden="true" /> : undefined}>
      {t(`keyState_${state.kind}`, values)}
    </Badge>
  )
}

/** What is most often wanted of a key in its state, and everything else behind three dots. */
export function KeyActions({ row }: { readonly row: KeyRow }) {
  const t = useTexts(gatewayTexts)
  const { openRename, openDelete, openRotate, openTest } = useKeyDialogs()
  const changed = useKeysChanged()
  if (row.status === 'deleted') return <span className="text-13 text-fg-3">{t('keyBillsStay')}</span>
  const turn = (on: boolean) =>
    whenOn('modifyKey', () => {
      void withStepUp(() => keysApi.switchKey({ keyId: row.keyId, on }))
        .then(async (done) => {
          if (!done) return
          toast.success(t(on ? 'keyEnabled' : 'keyDisabled'))
          await changed()
        })
        .catch((failure: unknown) => toast.error(isApiError(failure) ? failure.message : String(failure)))
    })
  const copyId = () => void copyText(row.keyId).then((done) => (done ? toast.success(t('keyIdCopied', { id: row.keyId })) : toast.warning(row.keyId)))
  const off = row.status === 'disabled'
  const idle = stateOf(row, Date.now()).kind === 'idle'
  const first = off
    ? { word: t('enable'), act: () => turn(true) }
    : idle
      ? { word: t('disable'), act: () => turn(false) }
      : row.rotation
        ? undefined
        : { word: t('rotate'), act: () => openRotate(row) }
  return (
    <span className="inline-flex items-center justify-end">
      {first ? (
        <Button size="sm" variant="ghost" aria-label={`${first.word} ${row.keyName}`} onClick={first.act}>
          {first.word}
        </Button>
      ) : null}
      <Menu
        trigger={
          <button type="button" className="icon-btn" aria-label={t('keyMore', { name: row.keyName })}>
            <Ellipsis size={16} strokeWidth={1.75} aria-hidden="true" />
          </button>
        }
        groups={[
          [
            { key: 'test', label: t('testTitle'), onSelect: () => openTest(row), disabled: off },
            { key: 'edit', label: t('editKey'), onSelect: () => openRename(row) },
            ...(row.rotation || (first?.act && !off && !idle) ? [] : [{ key: 'rotate', label: t('rotate'), onSelect: () => openRotate(row) }]),
            off ? { key: 'on', label: t('enable'), onSelect: () => turn(true) } : { key: 'off', label: t('disable'), onSelect: () => turn(false) },
            { key: 'id', label: t('copyKeyId'), onSelect: copyId },
          ],
          [{ key: 'delete', label: t('deleteKeyWord'), danger: true, onSelect: () => openDelete(row) }],
        ]}
      />
    </span>
  )
}
