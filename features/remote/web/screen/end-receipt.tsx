import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { displayTime } from '#platform/web/time.tsx'
import { Button, getButtonClass } from '#ui/button.tsx'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { remoteTexts } from '../../texts.ts'
import { resolveOverReason } from '../../wire.ts'
import { useRemoteRecords, useRemoteRefresh } from '../use-remote.ts'
import type { RemoteLinkView } from './use-link.ts'
import type { OverReason } from '../../wire.ts'

const SCREEN_OVER_TEXT = {
  replaced: 'screenOver_replaced',
  gone: 'screenOver_gone',
  time_up: 'screenOver_time_up',
  stopped: 'screenOver_stopped',
  too_heavy: 'screenOver_too_heavy',
  broke: 'screenOver_broke',
} as const satisfies Record<OverReason, keyof typeof remoteTexts.zh>

/** Receipt of an ended session, or a button to take the picture back from another page. */
export function EndReceipt({ link }: { readonly link: RemoteLinkView }) {
  const t = useTexts(remoteTexts)
  const told = link.state.reason ?? 'gone'
  const refresh = useRemoteRefresh()
  useEffect(() => refresh(), [told, refresh])
  const { data } = useRemoteRecords()
  const last = data?.pages[0]?.rowList.find(({ product }) => product === 'session')
  // A page opened after the end receives no reason; the record has it
  const reason = told === 'gone' && last?.deliveredTime && last.finishedTime ? resolveOverReason(last.cause) : told
  const isElsewhere = reason === 'replaced'
  return (
    <Receipt look="inline" label={t('remoteTitle')} className="w-full max-w-[460px]">
      <p className="text-16 font-bold" role="status">
        {t(SCREEN_OVER_TEXT[reason])}
      </p>
      <ReceiptRule />
      {isElsewhere ? (
        <Button size="lg" block onClick={link.again}>
          {t('screenHere')}
        </Button>
      ) : (
        <>
          {last ? <Lines task={last} /> : <Skeleton className="h-20" />}
          <ReceiptRule />
          <Link to="/remote" className={getButtonClass('primary', 'lg', 'w-full')}>
            {t('screenLeave')}
          </Link>
        </>
      )}
    </Receipt>
  )
}

function Lines({ task }: { readonly task: NonNullable<ReturnType<typeof useRemoteRecords>['data']>['pages'][number]['rowList'][number] }) {
  const t = useTexts(remoteTexts)
  const { deliveredTime, finishedTime } = task
  const minutes = deliveredTime && finishedTime ? Math.max(1, Math.ceil((Date.parse(finishedTime) - Date.parse(deliveredTime)) / 60_000)) : 0
  return (
    <>
      <ReceiptRow label={t('remoteWhen')} value={displayTime(deliveredTime ?? task.createdTime)} />
      <ReceiptRow label={t('screenUsed')} value={t('screenUsedMinutes', { minutes })} />
      <ReceiptRow label={t('remoteState')} value={task.causeName || task.stateName} />
      <ReceiptRow
        strong
        label={t('remoteCharged')}
        value={task.free === 'no' ? displayUsd(task.charged) : t('remoteFree')}
        {...(task.returned === '0' ? {} : { note: t('remoteReturned', { amount: displayUsd(task.returned) }) })}
      />
    </>
  )
}
