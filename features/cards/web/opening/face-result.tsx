import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { getButtonClass } from '#ui/button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { faceApi } from './opening-api.ts'
import { useFaceCheck } from './face-step.tsx'
import { buildFaceReturnPath, buildPayAgainLink, parseWaitingOrder } from './extra-pay.ts'
import { OpeningShell } from './shell.tsx'
import { StepFrame } from './step-frame.tsx'
import { openingTexts } from './texts.ts'
import { useOpeningFlow, useRefreshOpeningFlow } from './use-opening.ts'
import { CARDS_FACE_TITLE_TEXT, CARDS_FACE_ABOUT_TEXT } from './state-texts.ts'

/** /pay-face-verify-result: the vendor's page returns here, on whichever device it was opened. */
export function FaceResultPage() {
  return (
    <OpeningShell>
      <Returned />
    </OpeningShell>
  )
}

function Returned() {
  const t = useTexts(openingTexts)
  const search = useSearch({ strict: false }) as { certifyId?: string }
  const { certifyId } = search
  const orderNo = parseWaitingOrder(search)
  const refresh = useRefreshOpeningFlow()
  const name = useOpeningFlow().data?.saved?.chineseName ?? ''
  const onEnd = useCallback(() => void refresh(), [refresh])
  const check = useFaceCheck(certifyId, onEnd)
  if (!check || check.state === 'processing')
    return (
      <StepFrame title={t('face_returned_title')} lead={t('face_checking')}>
        <Skeleton className="h-24 max-w-[460px]" />
        <Link to="/open-account" className={getButtonClass('secondary', 'md', 'mt-5')}>
          {t('face_go_on')}
        </Link>
      </StepFrame>
    )
  const title = check.state === 'passed' ? t('face_passed') : t(CARDS_FACE_TITLE_TEXT[check.state])
  return (
    <StepFrame title={title} lead={check.state === 'passed' ? undefined : t(CARDS_FACE_ABOUT_TEXT[check.state], { name })}>
      {check.state === 'passed' && orderNo ? (
        <Link {...buildPayAgainLink(orderNo)} className={getButtonClass('primary', 'lg')}>
          {t('face_pay')}
        </Link>
      ) : (
        <Link to="/open-account" search={orderNo ? { orderNo } : {}} className={getButtonClass('primary', 'lg')}>
          {t(check.state === 'passed' ? 'face_go_on' : 'face_again')}
        </Link>
      )}
    </StepFrame>
  )
}

/** /face-verify-redirect: redirects to the vendor's page, for links in mails and from other devices. */
export function FaceRedirectPage() {
  return (
    <OpeningShell>
      <Redirected />
    </OpeningShell>
  )
}

function Redirected() {
  const t = useTexts(openingTexts)
  const navigate = useNavigate()
  const orderNo = parseWaitingOrder(useSearch({ strict: false }))
  const [problem, setProblem] = useState<Error>()
  useEffect(() => {
    faceApi.payIdentityVerify({ returnUrl: buildFaceReturnPath(orderNo) }).then(
      ({ url }) => location.replace(url),
      (error: Error) => {
        // an earlier step is open, or nothing is left to check: the account opening page shows which
        if (isApiError(error) && error.code > 0) void navigate({ to: '/open-account', replace: true })
        else setProblem(error)
      },
    )
  }, [navigate, orderNo])
  return problem ? <ErrorState error={problem} title={t('face_title')} /> : <Skeleton className="h-40" />
}
