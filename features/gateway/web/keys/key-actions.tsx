import { Ellipsis } from 'lucide-react'
import { copyText } from '#platform/web/clipboard.ts'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { runIfFeatureOn } from '#platform/web/state/flags.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { withStepUp } from '#platform/web/calls/step-up.ts'
import { Button } from '#ui/button.tsx'
import { LazyMenu } from '#ui/layers/lazy-menu.tsx'
import { toast } from '#ui/layers/toast.ts'
import type { ApiKeyRow } from '../../contract.ts'
import { gatewayTexts } from '../../texts.ts'
import { keysApi } from '../gateway-api.ts'
import { useKeysChanged } from '../queries.ts'
import { useKeyDialogs } from './key-dialogs.ts'
import { resolveApiKeyState } from './key-state.ts'

/** The most common action for a key's state, and a menu with the others. */
export function KeyActions({ row }: { readonly row: ApiKeyRow }) {
  const t = useTexts(gatewayTexts)
  const { openRename, openDelete, openRotate, openTest } = useKeyDialogs()
  const changed = useKeysChanged()
  if (row.status === 'deleted') return <span className="text-13 text-fg-3">{t('keyBillsStay')}</span>
  const turn = (on: boolean) =>
    runIfFeatureOn('modifyKey', () => {
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
  const paused = row.status === 'paused'
  const idle = resolveApiKeyState(row, Date.now()).kind === 'idle'
  const first = paused
    ? undefined
    : off
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
      <LazyMenu
        trigger={
          <button type="button" className="icon-btn" aria-label={t('keyMore', { name: row.keyName })}>
            <Ellipsis size={16} strokeWidth={1.75} aria-hidden="true" />
          </button>
        }
        groups={[
          [
            { key: 'test', label: t('testTitle'), onSelect: () => openTest(row), disabled: off || paused },
            { key: 'edit', label: t('editKey'), onSelect: () => openRename(row) },
            ...(row.rotation || paused || (first?.act && !off && !idle) ? [] : [{ key: 'rotate', label: t('rotate'), onSelect: () => openRotate(row) }]),
            ...(paused
              ? []
              : [off ? { key: 'on', label: t('enable'), onSelect: () => turn(true) } : { key: 'off', label: t('disable'), onSelect: () => turn(false) }]),
            { key: 'id', label: t('copyKeyId'), onSelect: copyId },
          ],
          [{ key: 'delete', label: t('deleteKeyWord'), danger: true, onSelect: () => openDelete(row) }],
        ]}
      />
    </span>
  )
}
