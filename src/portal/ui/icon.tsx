import type { LucideIcon } from 'lucide-react'
import ArrowRight from 'lucide-react/icons/arrow-right'
import ArrowUpDown from 'lucide-react/icons/arrow-up-down'
import Building from 'lucide-react/icons/building-2'
import Check from 'lucide-react/icons/check'
import ChevronDown from 'lucide-react/icons/chevron-down'
import CircleAlert from 'lucide-react/icons/circle-alert'
import Clock from 'lucide-react/icons/clock'
import Columns from 'lucide-react/icons/columns-3'
import Copy from 'lucide-react/icons/copy'
import Eye from 'lucide-react/icons/eye'
import History from 'lucide-react/icons/history'
import House from 'lucide-react/icons/house'
import Info from 'lucide-react/icons/info'
import Key from 'lucide-react/icons/key-round'
import Keyboard from 'lucide-react/icons/keyboard'
import Link from 'lucide-react/icons/link'
import Filter from 'lucide-react/icons/list-filter'
import Lock from 'lucide-react/icons/lock'
import SignOut from 'lucide-react/icons/log-out'
import Organization from 'lucide-react/icons/network'
import Pause from 'lucide-react/icons/pause'
import Play from 'lucide-react/icons/play'
import Plus from 'lucide-react/icons/plus'
import Refresh from 'lucide-react/icons/refresh-cw'
import Search from 'lucide-react/icons/search'
import Shield from 'lucide-react/icons/shield'
import Theme from 'lucide-react/icons/sun-moon'
import Warning from 'lucide-react/icons/triangle-alert'
import Undo from 'lucide-react/icons/undo-2'
import Unlink from 'lucide-react/icons/unlink'
import User from 'lucide-react/icons/user'
import Users from 'lucide-react/icons/users'
import Offline from 'lucide-react/icons/wifi-off'
import Close from 'lucide-react/icons/x'

/** The icons by the names that commands and entities use. */
const icons: Record<string, LucideIcon> = {
  alert: CircleAlert,
  building: Building,
  check: Check,
  close: Close,
  columns: Columns,
  copy: Copy,
  down: ChevronDown,
  eye: Eye,
  filter: Filter,
  history: History,
  home: House,
  info: Info,
  key: Key,
  keyboard: Keyboard,
  link: Link,
  lock: Lock,
  offline: Offline,
  organization: Organization,
  pause: Pause,
  play: Play,
  plus: Plus,
  refresh: Refresh,
  search: Search,
  shield: Shield,
  'sign-out': SignOut,
  sort: ArrowUpDown,
  theme: Theme,
  time: Clock,
  undo: Undo,
  unlink: Unlink,
  user: User,
  users: Users,
  warning: Warning,
}

/** One 16 px icon; a name nobody drew gets the plain arrow. Always beside a word, so hidden from screen readers. */
export function Icon({ name, size = 16, className = '' }: { name: string; size?: number; className?: string }) {
  const Drawn = icons[name] ?? ArrowRight
  return <Drawn size={size} strokeWidth={1.6} className={`shrink-0 ${className}`} aria-hidden="true" focusable="false" />
}
