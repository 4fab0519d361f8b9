import { useNavigate, useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, useRef } from 'react'
import { useQueryParam } from '#platform/web/state/url-state.ts'

/** Marks a history entry that only opened a detail: closing goes back over it. The mark survives a reload. */
const OPENED_STATE = 'detail'

declare module '@tanstack/react-router' {
  interface HistoryState {
    [OPENED_STATE]?: true
  }
}

const isOpened = (state: object) => OPENED_STATE in state

/**
 * The call whose detail is shown, `?call=` in the URL. Opening one adds a history entry, moving to another does not; closing is the same as
 * going back. Afterwards focus returns to the call's row.
 */
export function useSelectedCall() {
  const [chosen] = useQueryParam<string>('call', '')
  const router = useRouter()
  const navigate = useNavigate()
  const last = useRef(chosen)
  useEffect(() => {
    const before = last.current
    last.current = chosen
    if (chosen !== '' || before === '') return
    // the list may mount only now (phones), and after a reload its rows arrive later still
    let frame = requestAnimationFrame(function find() {
      const row = document.querySelector<HTMLElement>(`[data-call="${CSS.escape(before)}"]`) ?? document.querySelector<HTMLElement>('[data-calls]')
      if (row) {
        row.focus({ preventScroll: true })
        row.scrollIntoView({ block: 'nearest' })
      } else if (document.activeElement === document.body) frame = requestAnimationFrame(find)
    })
    return () => cancelAnimationFrame(frame)
  }, [chosen])
  const show = useCallback(
    (id: string) => {
      const { state } = router.history.location
      const moves = last.current !== ''
      void navigate({
        to: '.',
        search: (old) => ({ ...old, call: id }),
        state: moves ? state : { [OPENED_STATE]: true },
        replace: moves,
        resetScroll: false,
      })
    },
    [navigate, router],
  )
  const close = useCallback(() => {
    if (isOpened(router.history.location.state)) return router.history.back()
    void navigate({ to: '.', search: (old) => ({ ...old, call: undefined }), replace: true, resetScroll: false })
  }, [navigate, router])
  return { chosen, show, close }
}
