import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useIsMobile } from '#platform/web/device.ts'
import { useTexts } from '#platform/web/i18n.ts'
import type { FaceCheckReply } from '#features/identity/contract-face.ts'
import { Button } from '#ui/button.tsx'
import { QrTile } from '#ui/qr-tile.tsx'
import { buildFaceReturnPath, parseWaitingOrder } from './extra-pay.ts'
import type { OpeningStepProps } from './first-steps.tsx'
import { faceApi, flowApi } from './opening-api.ts'
import { StepFrame } from './step-frame.tsx'
import { openingTexts } from './texts.ts'
import { useRefreshOpeningFlow, useSetOpeningFlow } from './use-opening.ts'
import { CARDS_FACE_TITLE_TEXT, CARDS_FACE_ABOUT_TEXT } from './state-texts.ts'

const POLL_MS = 2000

/** Polls every two seconds while a check is open; calls `onEnd` once when it has ended. */
export function useFaceCheck(certifyId: string | undefined, onEnd: () => void): FaceCheckReply | undefined {
  const { data } = useQuery({
    queryKey: ['identity', 'check', certifyId ?? ''],
    queryFn: ({ signal }) => faceApi.identityVerifyStatus({ certifyId: certifyId! }, { signal, alone: true }),
    enabled: certifyId !== undefined,
    refetchInterval: ({ state }) => (state.data && state.data.state !== 'processing' ? false : POLL_MS),
    staleTime: 0,
  })
  const ended = data !== undefined && data.state !== 'processing'
  useEffect(() => {
    if (ended) onEnd()
  }, [ended, onEnd])
  return data
}

/** Face check: a QR code on a computer, the app itself on a phone; each outcome has its own page with one next step. */
export function FaceStep({ flow, onDone, onBack }: OpeningStepProps) {
  const t = useTexts(openingTexts)
  const mobile = useIsMobile()
  const setFlow = useSetOpeningFlow()
  const refresh = useRefreshOpeningFlow()
  const { run, isRunning, failure } = useSubmit()
  const orderNo = parseWaitingOrder(useSearch({ strict: false }))
  const [begun, setBegun] = useState<FaceCheckReply>()
  const [limit, setLimit] = useState<string>()
  const known = begun ?? flow.check ?? undefined
  const open = known?.state === 'processing' ? known : undefined
  const onEnd = useCallback(() => {
    void refresh().then(() => onDone())
  }, [refresh, onDone])
  const asked = useFaceCheck(open?.certifyId, onEnd)
  const check = asked && asked.certifyId === known?.certifyId ? asked : known
  const start = () =>
    run(async () => {
      const made = await faceApi.identityVerify({ returnUrl: buildFaceReturnPath(orderNo) })
      setBegun(made)
      if (mobile && made.url) location.assign(made.url)
    })
      .then((refused) => {
        if (refused?.errorName === 'FACE_LIMIT') setLimit(String((refused.data as { retryAt?: string } | null)?.retryAt ?? ''))
      })
      .catch(() => undefined)
  const deposit = () =>
    void run(async () => {
      setFlow(await flowApi.chooseMethod({ method: 'deposit' }))
      onDone()
    })
  const name = flow.saved?.chineseName ?? ''
  const canDeposit = flow.methods.includes('deposit')
  if (limit !== undefined)
    return (
      <StepFrame
        title={t('face_limit_title')}
        lead={t('face_limit_about', { time: limit })}
        {...(canDeposit ? { next: { text: t('face_deposit'), onPress: deposit, busy: isRunning } } : {})}
        onBack={onBack}
      />
    )
  const shownFailure = isApiError(failure) && failure.errorName === 'FACE_LIMIT' ? undefined : failure
  if (check && (check.state === 'failed' || check.state === 'other' || check.state === 'expired'))
    return (
      <StepFrame
        title={t(CARDS_FACE_TITLE_TEXT[check.state])}
        lead={t(CARDS_FACE_ABOUT_TEXT[check.state], { name })}
        next={{ text: t('face_again'), onPress: () => void start(), busy: isRunning }}
        onBack={onBack}
        failure={shownFailure}
      >
        {canDeposit ? (
          <button type="button" className="link min-h-8 text-14" onClick={deposit}>
            {t('face_deposit')}
          </button>
        ) : null}
      </StepFrame>
    )
  return (
    <StepFrame
      title={t('face_title')}
      lead={t('face_lead', { name })}
      {...(check?.state === 'processing' ? {} : { next: { text: t('face_start'), onPress: () => void start(), busy: isRunning } })}
      onBack={onBack}
      failure={shownFailure}
    >
      {check?.state === 'processing' ? <Open check={check} mobile={mobile} /> : null}
      {onBack ? (
        <button type="button" className="link mt-5 min-h-8 text-14" onClick={onBack}>
          {t('face_edit')}
        </button>
      ) : null}
    </StepFrame>
  )
}

function Open({ check, mobile }: { readonly check: FaceCheckReply; readonly mobile: boolean }) {
  const t = useTexts(openingTexts)
  const left = useSecondsLeft(check)
  const time = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
  return (
    <div className={mobile ? '' : 'flex items-center gap-8'}>
      {mobile ? (
        <Button size="lg" block onClick={() => location.assign(check.url)}>
          {t('face_open')}
        </Button>
      ) : (
        <QrTile value={check.url || undefined} state={check.url ? 'active' : 'loading'} size={190} caption={t('face_scan')} />
      )}
      <div className="mobile:mt-5">
        <p className="flex items-center gap-2 text-16 font-semibold">
          <span className="size-2 rounded-full bg-brand ring-4 ring-brand-soft" aria-hidden="true" />
          {t('face_waiting')}
        </p>
        <p className="mt-1 text-13 text-fg-3">{t('face_every')}</p>
        <p className="mt-4 text-14 text-fg-2" aria-live="off">
          {t('face_left', { time, count: check.triesLeft })}
        </p>
        {mobile ? null : (
          <a href={check.url} className="link mt-2 inline-flex min-h-8 items-center text-14">
            {t('face_here')}
          </a>
        )}
      </div>
    </div>
  )
}

/** Seconds left by the server's count, updated once a second. */
function useSecondsLeft({ secondsLeft }: FaceCheckReply): number {
  const [from, setFrom] = useState(() => ({ left: secondsLeft, at: Date.now() }))
  const [, tick] = useState(0)
  useEffect(() => setFrom({ left: secondsLeft, at: Date.now() }), [secondsLeft])
  useEffect(() => {
    const timer = setInterval(() => tick((n) => n + 1), 1000)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Math.round(from.left - (Date.now() - from.at) / 1000))
}
