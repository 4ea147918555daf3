# SPDX-License-Identifier: Apache-2.0
# A kernel for the tests of wv-flow: answers each RoutingDecision by the last
# word of its capability, and keeps what it was sent in $KERNEL_LOG.
now=2026-01-02T03:04:05Z
n=0

member() { # NAME: the text of a member of $line
	sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p" <<<"$line"
}

frame() { # DATA [HANDLES]
	printf '{"frame_id":"frm-%d","capability_id":"%s","summary":"did %s","structured_data":%s,"handle_refs":[%s],"created_at":"%s","metadata":{"x_wv_call":{"routing_decision_id":"%s","decision_id":"dec-%d","item_id":"%s","principal":"tester"}}}\n' \
		$n "$capability" "$capability" "$1" "${2:-}" $now "$id" $n \
		"$capability"
}

while IFS= read -r line; do
	n=$((n + 1))
	[ -z "${KERNEL_LOG:-}" ] || printf '%s\n' "$line" >>"$KERNEL_LOG"
	id=$(sed 's/^{"id":"\([^"]*\)".*/\1/' <<<"$line")
	capability=$(member selected_item_id)
	arguments=$(sed 's/.*"x_wv_arguments":\({.*}\),"\(x_wv_[a-z_]*\|telemetry\)".*/\1/
		s/,"x_wv_.*//' <<<"$line")
	case $capability in
	*.echo) frame "{\"got\":$arguments}" ;;
	*.handle) frame '{"kept":true}' "\"handle-$n\"" ;;
	*.fail) frame '{"status":"error","error_class":"execution","error_message":"exit status 1","retriable":true}' ;;
	*.rows) frame '{"rows":[{"i":1},{"i":2},{"i":3},{"i":4}]}' ;;
	*.pick) # an item that says so fails
		if [[ $arguments == *'"i":2'* ]]; then
			frame '{"status":"error","error_class":"execution","error_message":"no such row","retriable":true}'
		else
			frame "{\"got\":$arguments}"
		fi
		;;
	*.flaky) # fails twice
		tries=$((${tries:-0} + 1))
		if ((tries < 3)); then
			frame '{"status":"error","error_class":"execution","error_message":"not yet","retriable":true}'
		else
			frame '{"tries":3}'
		fi
		;;
	*.pair) # answered two at a time, the last first
		answer=$(frame "{\"got\":$arguments}")
		if [ -n "${held:-}" ]; then
			printf '%s\n%s\n' "$answer" "$held"
			held=
		else
			held=$answer
		fi
		;;
	*.lazy) sleep 1.3; frame '{}' ;;
	*.never) ;;
	*.crash) # ends whoever sent it, the first time
		if [ ! -e "$KERNEL_LOG.crashed" ]; then
			: >"$KERNEL_LOG.crashed"
			kill -9 $PPID
			exit
		fi
		frame "{\"got\":$arguments}"
		;;
	*.slow) frame '{"status":"error","error_class":"timeout","error_message":"took too long","retriable":true}' ;;
	*.deny) printf '{"decision_id":"dec-%d","decision":"deny","capability_id":"%s","principal":"tester","reason":"not today","timestamp":"%s","metadata":{"x_wv_code":"policy_deny","x_wv_invocation":{"routing_decision_id":"%s"}}}\n' $n "$capability" $now "$id" ;;
	*.allow) printf '{"decision_id":"dec-%d","decision":"allow","capability_id":"%s","principal":"tester","timestamp":"%s","metadata":{"x_wv_invocation":{"routing_decision_id":"%s"}}}\n' $n "$capability" $now "$id" ;;
	*.other) id=rd-other frame '{}' ;;
	*.twice) frame '{}'; frame '{}' ;;
	*.junk) echo 'this is no JSON' ;;
	*.noframe) echo '{"frame_id":"f"}' ;;
	*.die) exit 3 ;;
	*.kill) kill -9 $$ ;;
	*.leave) exec sleep 300 ;;
	*.hang)
		echo $$ >"$KERNEL_LOG.pid"
		trap 'echo TERM >>"$KERNEL_LOG.term"; kill $sleeper; exit 0' TERM
		sleep 300 &
		sleeper=$!
		wait
		;;
	esac
done
exit "${KERNEL_STATUS:-0}"
