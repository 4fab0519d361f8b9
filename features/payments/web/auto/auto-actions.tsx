import { openDialog } from '#platform/web/state/dialogs.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import type { AutoView } from '../../contract-auto.ts'
import { autoTexts } from '../../texts-auto.ts'
import { autoApi, useAutoAction } from './use-auto.ts'

/** One press each: no question before a stop, because it can be undone. */
export function AutoActions({ view, canStart, onEdit }: { readonly view: AutoView; readonly canStart: boolean; readonly onEdit: () => void }) {
  const t = useTexts(autoTexts)
  const stop = useAutoAction(() => autoApi.stopAuto({}), view.state === 'signing' ? undefined : t('auto_stopped_done'))
  const resume = useAutoAction(() => autoApi.resumeAuto({}), t('auto_resumed_done'))
  const { state, attention } = view
  const gone = attention === 'ended'
  return (
    <div className="flex flex-wrap gap-2">
      {state === 'off' && canStart ? (
        <Button variant="secondary" onClick={onEdit}>
          {t('auto_setup')}
        </Button>
      ) : null}
      {state === 'signing' && canStart ? (
        <Button variant="secondary" onClick={onEdit}>
          {t('auto_again')}
        </Button>
      ) : null}
      {state === 'stopped' ? (
        <Button variant="secondary" loading={resume.isPending} onClick={() => resume.mutate()}>
          {t('auto_undo')}
        </Button>
      ) : null}
      {state === 'attention' && attention === 'authentication' ? <Button onClick={() => openDialog('recharge')}>{t('auto_by_hand')}</Button> : null}
      {state === 'attention' && !gone ? (
        <Button variant="secondary" loading={resume.isPending} onClick={() => resume.mutate()}>
          {t('auto_resume')}
        </Button>
      ) : null}
      {state === 'attention' && canStart ? (
        <Button variant="secondary" onClick={onEdit}>
          {t('auto_again')}
        </Button>
      ) : null}
      {state === 'active' ? (
        <Button variant="secondary" onClick={onEdit}>
          {t('auto_change')}
        </Button>
      ) : null}
      {state === 'active' || state === 'attention' || state === 'signing' ? (
        <Button variant="ghost" loading={stop.isPending} onClick={() => stop.mutate()}>
          {t(state === 'signing' ? 'auto_give_up' : 'auto_stop')}
        </Button>
      ) : null}
    </div>
  )
}
