import { runsCall } from '#contract/listings.ts'
import { defineCommand } from '#kernel/command.ts'

/** What ended or waits for this person; its unread number is in the status bar. */
export default defineCommand({
  id: 'open.notices',
  title: 'Open notices',
  aliases: ['go to notices', 'notifications', 'finished runs', 'my uploads', 'what waits for me', 'mark all as read'],
  icon: 'info',
  reads: runsCall,
  keys: [{ scope: 'workspace', chord: 'g n' }],
  act: (host) => host.open('/notices'),
})
