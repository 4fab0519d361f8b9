import { CSPProvider } from '@base-ui/react/csp-provider'
import { useEffect, useRef, useState } from 'react'
import { QueryProvider } from '#platform/web/calls/query.tsx'
import { useIsMobile } from '#platform/web/device.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { useSupport } from '#platform/web/state/support.ts'
import { useTitle } from '#platform/web/title.ts'
import { remoteTexts } from '../../texts.ts'
import { useRemoteCount, useRemoteSession } from '../use-remote.ts'
import { ClipPanel } from './clip-panel.tsx'
import { EndReceipt } from './end-receipt.tsx'
import { FilesCard } from './files-card.tsx'
import type { OpenPanels } from './panels.ts'
import { RemotePicture } from './picture.tsx'
import { TabsBar } from './tabs-bar.tsx'
import { RemoteTopBar } from './top-bar.tsx'
import { TypeBar } from './type-bar.tsx'
import { useRemoteLink } from './use-link.ts'

/** /remote/screen: the remote browser in a window of its own. */
export function RemoteScreen() {
  return (
    <QueryProvider>
      <CSPProvider disableStyleElements>
        <LiveScreen />
      </CSPProvider>
    </QueryProvider>
  )
}

function LiveScreen() {
  const t = useTexts(remoteTexts)
  const mobile = useIsMobile()
  useTitle(t('remoteTitle'))
  useFullWindow()
  const canvas = useRef<HTMLCanvasElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const link = useRemoteLink(canvas)
  const { data: live } = useRemoteSession()
  const { data: stat } = useRemoteCount()
  const [panels, setPanels] = useState<OpenPanels>({ clip: !mobile, type: !mobile })
  const toggle = (name: keyof OpenPanels) => setPanels((now) => ({ ...now, [name]: !now[name] }))
  const { phase } = link.state
  const session = live?.session ?? undefined
  return (
    <div className="fixed inset-0 flex flex-col bg-ink">
      <RemoteTopBar link={link} session={session} stat={stat} panels={panels} onToggle={toggle} />
      {phase === 'over' ? (
        <main id="main" tabIndex={-1} className="flex min-h-0 flex-1 items-start justify-center overflow-y-auto bg-bg p-10 outline-none mobile:p-5">
          <EndReceipt link={link} />
        </main>
      ) : (
        <>
          <main id="main" tabIndex={-1} className="flex min-h-0 flex-1 outline-none mobile:flex-col">
            <div className="flex min-w-0 flex-1 flex-col">
              <TabsBar link={link} />
              <div className="relative flex min-h-0 flex-1 flex-col">
                <RemotePicture link={link} canvas={canvas} field={field} />
                <FilesCard link={link} />
              </div>
            </div>
            {panels.clip ? <ClipPanel link={link} session={session} /> : null}
          </main>
          {panels.type ? <TypeBar link={link} onClose={() => toggle('type')} /> : null}
        </>
      )}
    </div>
  )
}

/** Nothing floats above the picture, and no place is kept beside it for a scrollbar. */
function useFullWindow(): void {
  useEffect(() => {
    const { style } = document.documentElement
    useSupport.setState({ hasPlace: true })
    style.scrollbarGutter = 'auto'
    return () => {
      useSupport.setState({ hasPlace: false })
      style.scrollbarGutter = ''
    }
  }, [])
}
