// SPDX-License-Identifier: Apache-2.0
import { render } from 'preact';
import { startTicking } from './data/clock';
import { startFeeds } from './data/feed';
import { startHistory } from './data/history';
import { startTheme } from './data/prefs';
import { startRouting } from './data/route';
import { startSimulation } from './sim/state';
import './style/main.css';
import { Shell } from './ui/shell';

startTheme();
startRouting();
startFeeds();
startTicking();
startHistory();
startSimulation();
render(<Shell />, document.getElementById('app')!);
