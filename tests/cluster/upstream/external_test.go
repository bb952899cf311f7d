// Runs a Job controller as a process where Kubernetes' integration tests for Jobs start theirs in the test itself.
//
// `cargo xtask upstream` puts this file beside those tests and lets them call it: the start of a controller, the reset
// of its metrics and the reading of one.
package job

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"k8s.io/apiserver/pkg/util/feature"
	restclient "k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/component-base/featuregate"
	"k8s.io/klog/v2/ktesting"
	jobcontroller "k8s.io/kubernetes/pkg/controller/job"
	"k8s.io/kubernetes/pkg/features"
)

// counted holds what ended controllers had counted, less what was counted before the last reset.
var counted = struct {
	sync.Mutex
	before  map[string]float64
	address string
}{before: map[string]float64{}}

// externalValue is the value of a counter, whose labels come in the order of its declaration.
func externalValue(name string, labels []string) float64 {
	counted.Lock()
	defer counted.Unlock()
	key := "job_controller_" + name + " " + strings.Join(labels, ",")
	return counted.before[key] + scrape(counted.address)[key]
}

func externalReset() {
	counted.Lock()
	defer counted.Unlock()
	counted.before = map[string]float64{}
	for key, value := range scrape(counted.address) {
		counted.before[key] = -value
	}
}

// scrape reads all counters: name and values of the labels.
func scrape(address string) map[string]float64 {
	values := map[string]float64{}
	if address == "" {
		return values
	}
	answer, err := http.Get("http://" + address + "/metrics")
	if err != nil {
		return values
	}
	defer answer.Body.Close()
	for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
		name, text, found := strings.Cut(lines.Text(), "} ")
		if !found || strings.HasPrefix(name, "#") {
			continue
		}
		name, pairs, _ := strings.Cut(name, "{")
		var labels []string
		for _, pair := range strings.Split(pairs, ",") {
			_, value, _ := strings.Cut(pair, "=")
			labels = append(labels, strings.Trim(value, `"`))
		}
		value, _ := strconv.ParseFloat(text, 64)
		values[name+" "+strings.Join(labels, ",")] += value
	}
	return values
}

func startExternal(tb testing.TB, server *restclient.Config) (context.Context, context.CancelFunc) {
	tb.Helper()
	_, ctx := ktesting.NewTestContext(tb)
	ctx, cancel := context.WithCancel(ctx)
	address := freeAddress(tb)
	controller := exec.Command(os.Getenv("JOBWRIGHT_CONTROLLER"), arguments(kubeconfig(tb, server), address)...)
	log, err := os.OpenFile(os.Getenv("JOBWRIGHT_CONTROLLER_LOG"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		tb.Fatal(err)
	}
	fmt.Fprintf(log, "=== %s\n", tb.Name())
	controller.Stderr = log
	if err := controller.Start(); err != nil {
		tb.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { _ = controller.Wait(); close(ended) }()
	waitReady(tb, address)
	counted.Lock()
	counted.address = address
	counted.Unlock()
	stop := sync.OnceFunc(func() {
		counted.Lock()
		for key, value := range scrape(address) {
			counted.before[key] += value
		}
		if counted.address == address {
			counted.address = ""
		}
		counted.Unlock()
		_ = controller.Process.Signal(syscall.SIGTERM)
		<-ended
		_ = log.Close()
		cancel()
	})
	tb.Cleanup(stop)
	return ctx, stop
}

// arguments hands over what a test has set in the variables and gates of the built-in controller.
func arguments(kubeconfig, address string) []string {
	var gates []string
	for _, gate := range []featuregate.Feature{
		features.JobManagedBy, features.StaleControllerConsistencyJob, features.MutableSchedulingDirectivesForSuspendedJobs,
	} {
		gates = append(gates, fmt.Sprintf("%s=%v", gate, feature.DefaultFeatureGate.Enabled(gate)))
	}
	return []string{
		"--kubeconfig=" + kubeconfig,
		"--listen=" + address,
		"--replace-builtin",
		"--concurrent-job-syncs=1",
		"--feature-gates=" + strings.Join(gates, ","),
		"--pod-failure-backoff=" + jobcontroller.DefaultJobPodFailureBackOff.String(),
		"--pod-failure-backoff-max=" + jobcontroller.MaxJobPodFailureBackOff.String(),
		"--sync-batch-period=" + jobcontroller.SyncJobBatchPeriod.String(),
		fmt.Sprintf("--max-uncounted-pods=%d", jobcontroller.MaxUncountedPods),
		fmt.Sprintf("--max-pod-writes-per-sync=%d", jobcontroller.MaxPodCreateDeletePerSync),
	}
}

func kubeconfig(tb testing.TB, server *restclient.Config) string {
	tb.Helper()
	config := clientcmdapi.NewConfig()
	config.Clusters["test"] = &clientcmdapi.Cluster{
		Server:                   server.Host,
		CertificateAuthority:     server.CAFile,
		CertificateAuthorityData: server.CAData,
		TLSServerName:            server.ServerName,
	}
	config.AuthInfos["test"] = &clientcmdapi.AuthInfo{Token: server.BearerToken}
	config.Contexts["test"] = &clientcmdapi.Context{Cluster: "test", AuthInfo: "test"}
	config.CurrentContext = "test"
	file := filepath.Join(tb.TempDir(), "kubeconfig")
	if err := clientcmd.WriteToFile(*config, file); err != nil {
		tb.Fatal(err)
	}
	return file
}

func freeAddress(tb testing.TB) string {
	tb.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

func waitReady(tb testing.TB, address string) {
	tb.Helper()
	for tries := 0; tries < 3000; tries++ {
		if answer, err := http.Get("http://" + address + "/readyz"); err == nil {
			_ = answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
	tb.Fatal("the controller is not ready")
}
