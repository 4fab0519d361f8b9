import { useRef } from 'react'
import { answerNotice, useNotices } from '#platform/web/state/notice.ts'
import { AlertIcon } from '#ui/layers/alert-box.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'

/** Renders the notices of `askNotice()`, one at a time. */
export function NoticeHost() {
  const first = useNotices((state) => state.waiting[0])
  const last = useRef(first)
  if (first) last.current = first
  const request = (first ?? last.current)?.request
  if (!request) return null
  return (
    <Dialog
      key={(first ?? last.current)?.id}
      open={first !== undefined}
      onClose={() => answerNotice({ outcome: 'cancelled', reason: 'dismissed' })}
      closable={request.closable ?? true}
      size="sm"
      title={
        <span className="flex items-start gap-2.5">
          {request.kind ? <AlertIcon kind={request.kind} size={22} className="mt-[3px]" /> : null}
          <span className="min-w-0">{request.title}</span>
        </span>
      }
      footer={
        <>
          {request.cancel ? (
            <Button variant="secondary" onClick={() => answerNotice({ outcome: 'cancelled', reason: 'button' })}>
              {request.cancel}
            </Button>
          ) : null}
          <Button onClick={() => answerNotice({ outcome: 'confirmed' })}>{request.action}</Button>
        </>
      }
    >
      <div className={`text-14 text-fg-2 ${request.body ? 'pb-4' : ''}`}>{request.body}</div>
    </Dialog>
  )
}
