import { useCallback, useEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { toast } from '#ui/layers/toast.ts'
import type { RemotePageMessage } from '../../wire.ts'
import { remoteTexts } from '../../texts.ts'
import { remoteApi } from '../remote-api.ts'
import { INITIAL_LINK_STATE, openRemoteLink } from './link.ts'
import type { RemoteLink, LinkState } from './link.ts'
import type { FileTransfers } from './transfer.ts'

export interface RemoteLinkView {
  readonly state: LinkState
  readonly send: (wish: RemotePageMessage) => void
  readonly again: () => void
  readonly transfers: () => FileTransfers | undefined
}

const REFUSAL_TEXT = {
  download: 'screenDownload',
  upload: 'screenUpload',
  tooLarge: 'screenTooLarge',
  tooMany: 'screenTooMany',
  dialog: 'screenDialog',
  address: 'screenBadAddress',
} as const

/** The session on the canvas, for as long as the page stands. */
export function useRemoteLink(canvas: RefObject<HTMLCanvasElement | null>): RemoteLinkView {
  const t = useTexts(remoteTexts)
  const [state, setState] = useState<LinkState>(INITIAL_LINK_STATE)
  const link = useRef<RemoteLink>(undefined)
  const words = useRef(t)
  useEffect(() => {
    words.current = t
  })
  useEffect(() => {
    const opened = openRemoteLink({
      open: async () => {
        try {
          const { engine, url, ticket } = await remoteApi.kasmOpen({})
          return engine === 'canvas' ? { url, ticket } : undefined
        } catch (error) {
          if (isApiError(error) && error.errorName === 'REMOTE_NONE') return undefined
          throw error
        }
      },
      change: (part) => setState((before) => ({ ...before, ...part })),
      refused: (what) => toast.info(words.current(REFUSAL_TEXT[what])),
      draw: (picture) => drawPicture(canvas.current, picture),
    })
    link.current = opened
    return () => opened.close()
  }, [canvas])
  const send = useCallback((wish: RemotePageMessage) => link.current?.send(wish), [])
  const again = useCallback(() => link.current?.again(), [])
  const transfers = useCallback(() => link.current?.transfers, [])
  return { state, send, again, transfers }
}

function drawPicture(canvas: HTMLCanvasElement | null, picture: ImageBitmap): void {
  if (!canvas) return
  if (canvas.width !== picture.width || canvas.height !== picture.height) Object.assign(canvas, { width: picture.width, height: picture.height })
  canvas.getContext('2d')?.drawImage(picture, 0, 0)
}
